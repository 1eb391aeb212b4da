import java.lang.reflect.Constructor;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.apache.rocketmq.client.consumer.DefaultMQPushConsumer;
import org.apache.rocketmq.client.consumer.listener.ConsumeConcurrentlyContext;
import org.apache.rocketmq.client.consumer.listener.ConsumeConcurrentlyStatus;
import org.apache.rocketmq.client.consumer.listener.MessageListenerConcurrently;
import org.apache.rocketmq.client.impl.MQClientManager;
import org.apache.rocketmq.client.impl.consumer.ConsumeMessagePopConcurrentlyService;
import org.apache.rocketmq.client.impl.consumer.DefaultMQPushConsumerImpl;
import org.apache.rocketmq.client.impl.consumer.PopProcessQueue;
import org.apache.rocketmq.client.impl.factory.MQClientInstance;
import org.apache.rocketmq.common.message.MessageExt;
import org.apache.rocketmq.common.message.MessageQueue;
import org.apache.rocketmq.remoting.RemotingClient;
import org.apache.rocketmq.remoting.protocol.RemotingCommand;

/** What a POP client asks its broker for a message that failed: how long it stays invisible, or that it is given up. */
final class RecorderPopFail {
    private static final long[] AGES = {0, 5000, 9999, 10000, 30001, 65000, 600000, 7199999, 7200000, 14400000, 14400001};
    private static final List<Object> ASKED = new ArrayList<>();

    private RecorderPopFail() {
    }

    private static Object asked(RemotingCommand request) {
        try {
            boolean acks = request.getCode() == 200051;
            ASKED.add(acks ? "ack" : (Object) RecorderPop.call(request.readCustomHeader(), "getInvisibleTime"));
            return null;
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    static void record() throws Exception {
        int number = 0;
        for (int most : new int[] {-1, 0, 1, 3, 16, 20}) {
            DefaultMQPushConsumer consumer = new DefaultMQPushConsumer(RecorderPop.GROUP);
            consumer.setNamesrvAddr("127.0.0.1:1");
            consumer.setMaxReconsumeTimes(most);
            DefaultMQPushConsumerImpl own = (DefaultMQPushConsumerImpl) Reflection.value(consumer, "defaultMQPushConsumerImpl");
            MQClientInstance client = MQClientManager.getInstance().getOrCreateMQClientInstance(consumer);
            ConcurrentMap<String, Object> addresses = new ConcurrentHashMap<>();
            addresses.put("b", new java.util.HashMap<>(Collections.singletonMap(0L, "127.0.0.1:2")));
            RecorderPop.set(client, "brokerAddrTable", addresses);
            RecorderPop.set(own, "mQClientFactory", client);
            RecorderPop.set(client.getMQClientAPIImpl(), "remotingClient", Proxy.newProxyInstance(RemotingClient.class.getClassLoader(),
                new Class<?>[] {RemotingClient.class}, (proxy, method, args) -> method.getName().equals("invokeAsync") ? asked((RemotingCommand) args[1]) : null));
            MessageListenerConcurrently listener = (messages, context) -> ConsumeConcurrentlyStatus.RECONSUME_LATER;
            ConsumeMessagePopConcurrentlyService service = new ConsumeMessagePopConcurrentlyService(own, listener);
            List<Object> rows = new ArrayList<>();
            for (int level : new int[] {0, -1, 1, 3, 15, 18}) {
                for (int times = 0; times <= 21; times += times < 4 || times > 14 ? 1 : 5) {
                    for (long age : level == 0 ? AGES : new long[] {0, 65000}) {
                        rows.add(Arrays.asList(level, times, age, fail(service, level, times, age)));
                    }
                }
            }
            Map<String, Object> row = new LinkedHashMap<>();
            row.put("most", most);
            row.put("rows", rows);
            RecorderPop.write("fail", number++, row);
        }
    }

    private static Object fail(ConsumeMessagePopConcurrentlyService service, int level, int times, long age) throws Exception {
        MessageExt message = RecorderPopStore.message(RecorderPop.TOPIC, 0, 5, null, "x".getBytes());
        message.setReconsumeTimes(times);
        message.setBornTimestamp(Clock.now - age);
        message.getProperties().put("POP_CK", "5 " + Clock.now + " 60000 3 0 b 0 5");
        ConsumeConcurrentlyContext context = new ConsumeConcurrentlyContext(new MessageQueue(RecorderPop.TOPIC, "b", 0));
        context.setDelayLevelWhenNextConsume(level);
        Class<?> type = RecorderPop.either(ConsumeMessagePopConcurrentlyService.class.getName() + "$ConsumeRequest");
        Constructor<?> maker = type.getDeclaredConstructors()[0];
        maker.setAccessible(true);
        Object request = maker.newInstance(service, Collections.singletonList(message), new PopProcessQueue(), context.getMessageQueue());
        ASKED.clear();
        try {
            RecorderPop.call(service, "processConsumeResult", ConsumeConcurrentlyStatus.RECONSUME_LATER, context, request);
        } catch (RuntimeException e) {
            return e.getClass().getSimpleName();
        }
        return ASKED.isEmpty() ? null : ASKED.get(0);
    }
}
