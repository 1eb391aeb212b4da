import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.embedded.EmbeddedChannel;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.rocketmq.broker.BrokerController;
import org.apache.rocketmq.broker.processor.PopMessageProcessor;
import org.apache.rocketmq.common.BrokerConfig;
import org.apache.rocketmq.common.message.MessageExtBrokerInner;
import org.apache.rocketmq.remoting.protocol.RemotingCommand;

/** One pop: which queues of which topics are read in which order, from where, and what is stored for it. */
final class RecorderPopRead {
    private RecorderPopRead() {
    }

    /** A number that the script chose, in the place of the next random one. */
    private static final class Scripted extends Random {
        int next;

        @Override
        public int nextInt(int bound) {
            return next % bound;
        }
    }

    static ChannelHandlerContext context(Channel channel) {
        return (ChannelHandlerContext) Proxy.newProxyInstance(ChannelHandlerContext.class.getClassLoader(),
            new Class<?>[] {ChannelHandlerContext.class}, (proxy, method, args) -> method.getName().equals("channel") ? channel : null);
    }

    static RemotingCommand request(int queue, int most, long poll, long invisible, int mode, boolean order) throws Exception {
        RemotingCommand made = RemotingCommand.createRequestCommand(200050, null);
        made.addExtField("consumerGroup", RecorderPop.GROUP);
        made.addExtField("topic", RecorderPop.TOPIC);
        made.addExtField("queueId", String.valueOf(queue));
        made.addExtField("maxMsgNums", String.valueOf(most));
        made.addExtField("invisibleTime", String.valueOf(invisible));
        made.addExtField("pollTime", String.valueOf(poll));
        made.addExtField("bornTime", String.valueOf(Clock.now));
        made.addExtField("initMode", String.valueOf(mode));
        made.addExtField("order", String.valueOf(order));
        return made;
    }

    static String retry(boolean second) {
        return "%RETRY%" + RecorderPop.GROUP + (second ? "+" : "_") + RecorderPop.TOPIC;
    }

    static String brief(Object topic) {
        return topic.equals(RecorderPop.TOPIC) ? "t" : topic.equals(retry(false)) ? "r1" : topic.equals(retry(true)) ? "r2" : String.valueOf(topic);
    }

    static void record() throws Exception {
        Random random = new Random(13);
        for (int number = 0; number < 160; number++) {
            Map<String, Object> row = new LinkedHashMap<>();
            int queues = 1 + random.nextInt(5);
            boolean second = random.nextInt(3) == 0;
            boolean firstToo = random.nextInt(3) > 0;
            int drawn = random.nextInt(100);
            int most = 1 + random.nextInt(32);
            int queue = random.nextInt(4) == 0 ? random.nextInt(queues) : -1;
            int mode = random.nextInt(2);
            boolean order = random.nextInt(8) == 0;
            long invisible = 10_000 + random.nextInt(50) * 1000L;
            boolean inMemory = random.nextInt(3) > 0;
            int locked = random.nextInt(4) == 0 ? random.nextInt(queues) : -1;
            RecorderPopStore store = new RecorderPopStore();
            store.inMemory = inMemory;
            BrokerConfig config = new BrokerConfig();
            if (RecorderPop.has(BrokerConfig.class, "enableRetryTopicV2")) {
                RecorderPop.call(config, "setEnableRetryTopicV2", second);
                RecorderPop.call(config, "setRetrieveMessageFromPopRetryTopicV1", firstToo);
            }
            BrokerController broker = RecorderPop.broker(store, config);
            RecorderPop.group(broker, RecorderPop.GROUP);
            RecorderPop.topic(broker, RecorderPop.TOPIC, queues);
            List<Object> held = new ArrayList<>();
            for (int q = 0; q < queues; q++) {
                long first = random.nextInt(3) == 0 ? random.nextInt(9) : 0;
                int count = random.nextInt(3) == 0 ? 0 : random.nextInt(14);
                Long committed = random.nextInt(3) == 0 ? null : first + random.nextInt(count + 1);
                store.fill(RecorderPop.TOPIC, q, first, count);
                commit(broker, RecorderPop.TOPIC, q, committed);
                held.add(Arrays.asList("t", q, first, count, committed));
            }
            for (int v = 1; v <= 2; v++) {
                int count = random.nextInt(3) == 0 ? -1 : random.nextInt(9);
                Long committed = random.nextInt(4) == 0 || count < 0 ? null : (long) random.nextInt(count + 1);
                if (count >= 0 && (v == 1 || RecorderPop.has(BrokerConfig.class, "enableRetryTopicV2"))) {
                    RecorderPop.topic(broker, retry(v == 2), 1);
                    store.fill(retry(v == 2), 0, 0, count);
                    commit(broker, retry(v == 2), 0, committed);
                    held.add(Arrays.asList("r" + v, 0, 0, count, committed));
                }
            }
            PopMessageProcessor processor = (PopMessageProcessor) Reflection.value(broker, "popMessageProcessor");
            Scripted scripted = new Scripted();
            scripted.next = drawn;
            RecorderPop.set(processor, "random", scripted);
            if (locked >= 0) {
                processor.getQueueLockManager().tryLock(RecorderPop.TOPIC + "@" + RecorderPop.GROUP + "@" + locked);
            }
            Channel channel = new EmbeddedChannel();
            RemotingCommand answer = processor.processRequest(context(channel), request(queue, most, 0, invisible, mode, order));
            if (answer == null) {
                answer = (RemotingCommand) ((EmbeddedChannel) channel).readOutbound();
            }
            row.put("v2", second ? 1 : 0);
            row.put("v1too", firstToo ? 1 : 0);
            row.put("drawn", drawn);
            row.put("most", most);
            row.put("queue", queue);
            row.put("init", mode == 0 ? "min" : "max");
            row.put("mem", inMemory ? 1 : 0);
            row.put("order", order ? 1 : 0);
            row.put("locked", locked);
            row.put("inv", invisible);
            row.put("held", held);
            List<Object> reads = new ArrayList<>();
            for (Object[] each : store.reads) {
                reads.add(Arrays.asList(brief(each[0]), each[1], each[2], each[3], each[4]));
            }
            row.put("reads", reads);
            List<Object> points = new ArrayList<>();
            for (MessageExtBrokerInner each : store.puts) {
                var json = RecorderPopStore.json(each);
                points.add(Arrays.asList(brief(json.get("t").getAsString()), json.get("q").getAsInt(), json.get("so").getAsLong(),
                    json.get("n").getAsInt(), each.getQueueId(), each.getDeliverTimeMs() - Clock.now));
            }
            row.put("points", points);
            row.put("code", answer == null ? null : answer.getCode());
            Object header = answer == null ? null : answer.readCustomHeader();
            row.put("rest", header == null ? null : RecorderPop.call(header, "getRestNum"));
            RecorderPop.write("read", number, row);
        }
    }

    static void commit(BrokerController broker, String topic, int queue, Long offset) throws Exception {
        if (offset != null) {
            broker.getConsumerOffsetManager().commitOffset("script", RecorderPop.GROUP, topic, queue, offset);
        }
    }
}
