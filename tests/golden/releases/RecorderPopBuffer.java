import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.rocketmq.broker.BrokerController;
import org.apache.rocketmq.broker.processor.PopBufferMergeService;
import org.apache.rocketmq.common.BrokerConfig;
import org.apache.rocketmq.common.message.MessageExtBrokerInner;
import org.apache.rocketmq.store.pop.AckMsg;
import org.apache.rocketmq.store.pop.PopCheckPoint;

/** The buffer of check points: what it takes, what it stores when, and which offsets it commits. */
final class RecorderPopBuffer {
    private static final int QUEUE = 2;

    private RecorderPopBuffer() {
    }

    static void record() throws Exception {
        Random random = new Random(15);
        for (int number = 0; number < 100; number++) {
            Clock.now = 1_000_000_000_000L;
            long start = Clock.now;
            RecorderPopStore store = new RecorderPopStore();
            BrokerConfig config = new BrokerConfig();
            boolean merges = random.nextInt(3) > 0;
            config.setEnablePopBufferMerge(merges);
            BrokerController broker = RecorderPop.broker(store, config);
            RecorderPop.group(broker, RecorderPop.GROUP);
            RecorderPop.topic(broker, RecorderPop.TOPIC, 1);
            PopBufferMergeService buffer = (PopBufferMergeService) Reflection.value(broker.getPopMessageProcessor(), "popBufferMergeService");
            RecorderPop.set(buffer, "serving", true);
            List<long[]> points = new ArrayList<>();
            List<Object> ops = new ArrayList<>();
            long next = 0;
            for (int i = 0; i < 30; i++) {
                Clock.now += random.nextInt(4) == 0 ? random.nextInt(5000) : random.nextInt(300);
                long at = Clock.now - start;
                int what = points.isEmpty() ? 0 : random.nextInt(9);
                int before = store.puts.size();
                List<Object> op = new ArrayList<>();
                if (what < 2) {
                    int count = 1 + random.nextInt(3);
                    long invisible = 3000 + random.nextInt(6) * 3000L;
                    long[] one = {Clock.now, invisible, next, count};
                    points.add(one);
                    next += count;
                    boolean taken = (Boolean) RecorderPop.call(buffer, "addCk", point(one), QUEUE, -1L, next);
                    if (!taken) {
                        RecorderPop.call(buffer, "addCkJustOffset", point(one), QUEUE, -1L, next);
                    }
                    op.addAll(Arrays.asList("pop", at, one[2], count, invisible, taken ? 1 : 0));
                } else if (what == 2) {
                    int skipped = 1 + random.nextInt(3);
                    RecorderPop.call(buffer, "addCkMock", RecorderPop.GROUP, RecorderPop.TOPIC, 0, next, 60_000L, Clock.now, QUEUE, next + skipped, "b");
                    next += skipped;
                    op.addAll(Arrays.asList("skip", at, next));
                } else if (what < 6) {
                    int p = Math.max(0, points.size() - 1 - random.nextInt(4));
                    long[] one = points.get(p);
                    int index = random.nextInt((int) one[3]);
                    AckMsg ack = new AckMsg();
                    ack.setAckOffset(one[2] + index);
                    ack.setStartOffset(one[2]);
                    ack.setConsumerGroup(RecorderPop.GROUP);
                    ack.setTopic(RecorderPop.TOPIC);
                    ack.setQueueId(0);
                    ack.setPopTime(one[0]);
                    ack.setBrokerName("b");
                    op.addAll(Arrays.asList("ack", at, p, index, (Boolean) RecorderPop.call(buffer, "addAk", QUEUE, ack) ? 1 : 0));
                } else {
                    RecorderPop.call(buffer, "scan");
                    op.addAll(Arrays.asList("scan", at, broker.getConsumerOffsetManager().queryOffset(RecorderPop.GROUP, RecorderPop.TOPIC, 0)));
                }
                op.add(RecorderPop.call(buffer, "getLatestOffset", RecorderPop.TOPIC + "@" + RecorderPop.GROUP + "@0"));
                List<Object> stored = new ArrayList<>();
                for (MessageExtBrokerInner each : store.puts.subList(before, store.puts.size())) {
                    var json = RecorderPopStore.json(each);
                    stored.add(Arrays.asList(each.getTags(), either(json, "so", "startOffset"), either(json, "ao", "ackOffset"),
                        each.getDeliverTimeMs() - start));
                }
                op.add(stored);
                ops.add(op);
            }
            Map<String, Object> row = new LinkedHashMap<>();
            row.put("merge", merges ? 1 : 0);
            row.put("ops", ops);
            RecorderPop.write("buffer", number, row);
        }
    }

    private static Object either(com.google.gson.JsonObject json, String name, String older) {
        return json.has(name) ? (Object) json.get(name).getAsLong() : json.has(older) ? json.get(older).getAsLong() : null;
    }

    private static PopCheckPoint point(long[] one) throws Exception {
        PopCheckPoint made = new PopCheckPoint();
        made.setBitMap(0);
        made.setNum((byte) one[3]);
        made.setPopTime(one[0]);
        made.setInvisibleTime(one[1]);
        RecorderPopRevive.setStart(made, one[2]);
        made.setCId(RecorderPop.GROUP);
        made.setTopic(RecorderPop.TOPIC);
        RecorderPopRevive.setQueue(made, 0);
        made.setBrokerName("b");
        for (int i = 0; i < one[3]; i++) {
            made.addDiff(i);
        }
        return made;
    }
}
