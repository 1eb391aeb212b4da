import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.rocketmq.broker.BrokerController;
import org.apache.rocketmq.broker.processor.PopReviveService;
import org.apache.rocketmq.common.BrokerConfig;
import org.apache.rocketmq.common.message.MessageExt;
import org.apache.rocketmq.common.message.MessageExtBrokerInner;
import org.apache.rocketmq.store.pop.PopCheckPoint;

/** Rounds of a revive service over one queue of the revive topic: which check points are revived when, and how far it gets. */
final class RecorderPopRevive {
    private static final int QUEUE = 3;
    private static final String ACK = "{\"ao\":%d,\"so\":%d,\"c\":\"g\",\"t\":\"%s\",\"q\":%d,\"pt\":%d,\"bn\":\"b\"}";
    private static final String ACK_5_0_0 =
        "{\"ackOffset\":%d,\"startOffset\":%d,\"consumerGroup\":\"g\",\"topic\":\"%s\",\"queueId\":%d,\"popTime\":%d}";

    private RecorderPopRevive() {
    }

    /** The service, which counts its readings; the timer keeps up with the clock unless it is behind. */
    private static final class Service extends PopReviveService {
        private final RecorderPopStore store;
        boolean behind;
        int reads;

        Service(BrokerController broker, String topic, RecorderPopStore store) {
            super(broker, topic, QUEUE);
            this.store = store;
        }

        @Override
        protected List<MessageExt> getReviveMessage(long offset, int queue) {
            reads++;
            try {
                RecorderPop.read(store, behind ? 0 : Clock.now);
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
            return super.getReviveMessage(offset, queue);
        }
    }

    static void record() throws Exception {
        Random random = new Random(14);
        for (int number = 0; number < 60; number++) {
            Clock.now = 1_000_000_000_000L;
            Clock.sleeper = Thread.currentThread();
            RecorderPopStore store = new RecorderPopStore();
            BrokerConfig config = new BrokerConfig();
            BrokerController broker = RecorderPop.broker(store, config);
            RecorderPop.group(broker, RecorderPop.GROUP);
            RecorderPop.topic(broker, RecorderPop.TOPIC, 4);
            boolean second = random.nextInt(3) == 0;
            if (RecorderPop.has(BrokerConfig.class, "enableRetryTopicV2")) {
                RecorderPop.call(config, "setEnableRetryTopicV2", second);
            }
            for (int q = 0; q < 4; q++) {
                store.fill(RecorderPop.TOPIC, q, 0, 40);
            }
            RecorderPop.topic(broker, RecorderPopRead.retry(false), 1);
            store.fill(RecorderPopRead.retry(false), 0, 0, 40);
            String topic = "rmq_sys_REVIVE_LOG_c";
            List<Object> log = script(random, broker, store, topic);
            boolean refusing = random.nextInt(6) == 0;
            boolean behind = random.nextInt(6) == 0;
            Service service = new Service(broker, topic, store);
            service.behind = behind;
            service.setShouldRunPopRevive(true);
            long start = Clock.now;
            List<Object> rounds = new ArrayList<>();
            int slow = 1;
            for (int round = 0; round < 9; round++) {
                Clock.now += 1000;
                long began = Clock.now;
                store.refuses = refusing && round < 4;
                int before = store.puts.size();
                service.reads = 0;
                Object found = fresh();
                RecorderPop.call(PopReviveService.class, service, "consumeReviveMessage", found);
                long scanned = Clock.now;
                boolean failed = false;
                try {
                    RecorderPop.call(PopReviveService.class, service, "mergeAndRevive", found);
                } catch (Exception e) {
                    failed = true;
                }
                List<?> points = (List<?>) Reflection.value(found, "sortList");
                rounds.add(Arrays.asList(began - start, scanned - start, service.reads, points.size(), ends(found, start),
                    failed ? null : Reflection.value(found, "newOffset"), made(store, before, start)));
                if (failed) {
                    continue;
                }
                if (points.isEmpty()) {
                    Clock.now += slow * 1000L;
                    slow = Math.min(3, slow + 1);
                } else {
                    slow = 1;
                }
            }
            Map<String, Object> row = new LinkedHashMap<>();
            row.put("v2", second ? 1 : 0);
            row.put("refuses", refusing ? 1 : 0);
            row.put("behind", behind ? 1 : 0);
            row.put("log", log);
            row.put("rounds", rounds);
            RecorderPop.write("revive", number, row);
        }
    }

    private static Object fresh() throws Exception {
        var maker = Class.forName("org.apache.rocketmq.broker.processor.PopReviveService$ConsumeReviveObj", true,
            RecorderPopRevive.class.getClassLoader()).getDeclaredConstructor();
        maker.setAccessible(true);
        return maker.newInstance();
    }

    private static Object ends(Object found, long start) throws Exception {
        long end = (long) Reflection.value(found, "endTime");
        return end == 0 ? null : end - start;
    }

    /** What a round put: [topic, queue/offset it was popped from, tries] of messages, ["ck", start offset, due, times put again] of check points. */
    private static List<Object> made(RecorderPopStore store, int from, long start) {
        List<Object> made = new ArrayList<>();
        for (MessageExtBrokerInner each : store.puts.subList(from, store.puts.size())) {
            if ("ck".equals(each.getTags())) {
                var json = RecorderPopStore.json(each);
                made.add(Arrays.asList("ck", json.get("so").getAsLong(), each.getDeliverTimeMs() - start,
                    json.has("rp") ? json.get("rp").getAsInt() : null));
            } else {
                made.add(Arrays.asList(RecorderPopRead.brief(each.getTopic()), new String(each.getBody()), each.getReconsumeTimes()));
            }
        }
        return made;
    }

    /** Fill the queue of the revive topic: check points and acks in the order of their time, each seen when its timer fires. */
    private static List<Object> script(Random random, BrokerController broker, RecorderPopStore store, String topic) throws Exception {
        List<Object[]> events = new ArrayList<>();
        int pops = 1 + random.nextInt(9);
        long at = Clock.now - 5000;
        for (int p = 0; p < pops; p++) {
            at += random.nextInt(3) == 0 ? random.nextInt(9000) : random.nextInt(900);
            long invisible = 10_000 + random.nextInt(3) * 5000L;
            PopCheckPoint point = new PopCheckPoint();
            point.setBitMap(0);
            int count = 1 + random.nextInt(4);
            point.setNum((byte) count);
            point.setPopTime(at);
            point.setInvisibleTime(invisible);
            long begin = random.nextInt(30);
            setStart(point, begin);
            point.setCId(RecorderPop.GROUP);
            boolean retried = random.nextInt(4) == 0;
            point.setTopic(retried ? RecorderPopRead.retry(false) : RecorderPop.TOPIC);
            int queue = retried ? 0 : random.nextInt(4);
            setQueue(point, queue);
            point.setBrokerName("b");
            for (int i = 0; i < count; i++) {
                point.addDiff(i);
            }
            Object made = RecorderPop.call(broker.getPopMessageProcessor(), "buildCkMsg", point, QUEUE);
            long due = point.getReviveTime() - 1000;
            events.add(new Object[] {due, seen(random, due), made, new ArrayList<>(Arrays.asList("ck", p, retried ? "r1" : "t", queue, begin, count, at, invisible))});
            for (int i = 0; i < count; i++) {
                if (random.nextInt(3) > 0) {
                    String body = String.format(RecorderPop.since("5.1.0") ? ACK : ACK_5_0_0, begin + i, begin, point.getTopic(), queue, at);
                    long late = random.nextInt(6) == 0 ? random.nextInt(6000) : 0;
                    MessageExt ack = RecorderPopStore.message(topic, QUEUE, 0, "ack", body.getBytes());
                    ack.setDeliverTimeMs(point.getReviveTime());
                    events.add(new Object[] {point.getReviveTime() + late, seen(random, point.getReviveTime() + late), ack,
                        new ArrayList<>(Arrays.asList("ack", p, i))});
                }
            }
        }
        Collections.sort(events, (a, b) -> Long.compare((Long) a[1], (Long) b[1]));
        List<RecorderPopStore.Stored> list = new ArrayList<>();
        List<Object> shown = new ArrayList<>();
        long now = Clock.now;
        for (Object[] each : events) {
            MessageExt message = (MessageExt) each[2];
            message.setQueueOffset(list.size());
            if (message.getStoreHost() == null) {
                message.setStoreHost(RecorderPopStore.HOST);
                message.setBornHost(RecorderPopStore.HOST);
            }
            list.add(new RecorderPopStore.Stored(plain(message), (Long) each[1]));
            @SuppressWarnings("unchecked")
            List<Object> row = (List<Object>) each[3];
            row.add((Long) each[1] - now);
            if (row.get(0).equals("ck")) {
                row.set(6, (Long) row.get(6) - now);
            } else {
                row.add(message.getDeliverTimeMs() - now);
            }
            shown.add(row);
        }
        store.queues.put(topic + "@" + QUEUE, list);
        broker.getConsumerOffsetManager().commitOffset("script", "CID_RMQ_SYS_REVIVE_GROUP", topic, QUEUE, -1);
        return shown;
    }

    private static MessageExt plain(MessageExt of) {
        MessageExt made = RecorderPopStore.message(of.getTopic(), of.getQueueId(), of.getQueueOffset(), of.getTags(), of.getBody());
        made.setDeliverTimeMs(of.getDeliverTimeMs());
        return made;
    }

    private static long seen(Random random, long due) {
        return (due + 999) / 1000 * 1000 + random.nextInt(120);
    }

    static void setStart(PopCheckPoint point, long offset) throws Exception {
        RecorderPop.call(point, RecorderPop.since("5.1.0") ? "setStartOffset" : "getStartOffset", offset);
    }

    static void setQueue(PopCheckPoint point, int queue) throws Exception {
        RecorderPop.set(point, "queueId", RecorderPop.since("5.1.0") ? (Object) queue : (Object) (byte) queue);
    }
}
