import io.netty.channel.embedded.EmbeddedChannel;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.rocketmq.broker.BrokerController;
import org.apache.rocketmq.broker.processor.PopMessageProcessor;
import org.apache.rocketmq.broker.processor.PopReviveService;
import org.apache.rocketmq.common.BrokerConfig;
import org.apache.rocketmq.common.message.MessageExt;
import org.apache.rocketmq.common.message.MessageExtBrokerInner;
import org.apache.rocketmq.store.pop.PopCheckPoint;

/** Whether a message that is stored, or one that is revived, wakes a pop that waits. */
final class RecorderPopWake {
    private RecorderPopWake() {
    }

    /** Runs nothing: a pop that was woken does not wait again. */
    private static final class Idle extends ThreadPoolExecutor {
        Idle() {
            super(1, 1, 1, TimeUnit.SECONDS, new LinkedBlockingQueue<>());
        }

        @Override
        public Future<?> submit(Runnable task) {
            return null;
        }
    }

    static void record() throws Exception {
        int number = 0;
        for (boolean second : new boolean[] {false, true}) {
            for (int queue : new int[] {-1, 0}) {
                for (boolean revived : new boolean[] {false, true}) {
                    Map<String, Object> row = new LinkedHashMap<>();
                    row.put("v2", second ? 1 : 0);
                    row.put("queue", queue);
                    row.put("what", revived ? "revived" : "new");
                    row.put("woken", woken(second, queue, revived) ? 1 : 0);
                    RecorderPop.write("wake", number++, row);
                }
            }
        }
    }

    private static long waiting(PopMessageProcessor processor) throws Exception {
        Object of = RecorderPop.has(PopMessageProcessor.class, "totalPollingNum") ? processor : Reflection.value(processor, "popLongPollingService");
        return ((AtomicLong) Reflection.value(of, "totalPollingNum")).get();
    }

    private static boolean woken(boolean second, int queue, boolean revived) throws Exception {
        RecorderPopStore store = new RecorderPopStore();
        BrokerConfig config = new BrokerConfig();
        if (RecorderPop.has(BrokerConfig.class, "enableRetryTopicV2")) {
            RecorderPop.call(config, "setEnableRetryTopicV2", second);
        }
        BrokerController broker = RecorderPop.broker(store, config);
        RecorderPop.set(broker, "pullMessageExecutor", new Idle());
        RecorderPop.group(broker, RecorderPop.GROUP);
        RecorderPop.topic(broker, RecorderPop.TOPIC, 2);
        store.fill(RecorderPop.TOPIC, 0, 0, 0);
        store.fill(RecorderPop.TOPIC, 1, 0, 0);
        PopMessageProcessor processor = broker.getPopMessageProcessor();
        processor.processRequest(RecorderPopRead.context(new EmbeddedChannel()), RecorderPopRead.request(queue, 8, 15_000, 60_000, 0, false));
        long before = waiting(processor);
        if (before != 1) {
            throw new IllegalStateException(before + " pops wait");
        }
        if (revived) {
            PopCheckPoint point = new PopCheckPoint();
            point.setNum((byte) 1);
            point.setPopTime(Clock.now);
            point.setInvisibleTime(60_000);
            RecorderPopRevive.setStart(point, 0);
            point.setCId(RecorderPop.GROUP);
            point.setTopic(RecorderPop.TOPIC);
            RecorderPopRevive.setQueue(point, 0);
            point.addDiff(0);
            MessageExt message = RecorderPopStore.message(RecorderPop.TOPIC, 0, 0, null, "x".getBytes());
            PopReviveService service = new PopReviveService(broker, "rmq_sys_REVIVE_LOG_c", 0);
            service.setShouldRunPopRevive(true);
            RecorderPop.call(PopReviveService.class, service, "reviveRetry", point, message);
            MessageExtBrokerInner put = store.puts.get(store.puts.size() - 1);
            arrives(processor, put.getTopic(), 0, put.getProperties());
        } else {
            arrives(processor, RecorderPop.TOPIC, 0, new LinkedHashMap<>());
        }
        return waiting(processor) == 0;
    }

    /** What the broker does once a message can be read. */
    private static void arrives(PopMessageProcessor processor, String topic, int queue, Map<String, String> properties) throws Exception {
        if (RecorderPop.since("5.3.2")) {
            RecorderPop.call(processor, "notifyMessageArriving", topic, queue, 1L, 0L, Clock.now, null, properties);
        } else if (RecorderPop.since("5.3.0")) {
            RecorderPop.call(processor, "notifyMessageArriving", topic, queue, 0L, Clock.now, null, properties);
        } else {
            RecorderPop.call(processor, "notifyMessageArriving", topic, queue);
        }
    }
}
