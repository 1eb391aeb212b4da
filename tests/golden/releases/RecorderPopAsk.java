import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.apache.rocketmq.client.consumer.DefaultMQPushConsumer;
import org.apache.rocketmq.client.consumer.listener.ConsumeConcurrentlyStatus;
import org.apache.rocketmq.client.consumer.listener.MessageListenerConcurrently;
import org.apache.rocketmq.client.impl.MQClientManager;
import org.apache.rocketmq.client.impl.consumer.DefaultMQPushConsumerImpl;
import org.apache.rocketmq.client.impl.consumer.PopProcessQueue;
import org.apache.rocketmq.client.impl.consumer.PopRequest;
import org.apache.rocketmq.client.impl.consumer.PullAPIWrapper;
import org.apache.rocketmq.client.impl.factory.MQClientInstance;
import org.apache.rocketmq.common.ServiceState;
import org.apache.rocketmq.common.message.MessageQueue;
import org.apache.rocketmq.remoting.RemotingClient;
import org.apache.rocketmq.remoting.protocol.RemotingCommand;

/** What a client asks for with a pop: whether it starts with its settings, when it pops, and what the request says. */
final class RecorderPopAsk {
    private static final List<Object> ASKED = new ArrayList<>();

    private RecorderPopAsk() {
    }

    private static Object asked(RemotingCommand request, long timeout) {
        try {
            Object header = request.readCustomHeader();
            List<Object> said = new ArrayList<>();
            for (String name : new String[] {"getInvisibleTime", "getMaxMsgNums", "getPollTime", "getInitMode", "getQueueId"}) {
                said.add(RecorderPop.call(header, name));
            }
            said.add(timeout);
            ASKED.add(said);
            return null;
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    static void record() throws Exception {
        int number = 0;
        for (long invisible : new long[] {-1, 0, 4999, 5000, 60000, 300000, 300001}) {
            for (int batch : new int[] {0, 1, 32, 33}) {
                for (int threshold : new int[] {0, 96}) {
                    Map<String, Object> row = new LinkedHashMap<>();
                    row.put("invisible", invisible);
                    row.put("batch", batch);
                    row.put("threshold", threshold);
                    ask(row, invisible, batch, threshold);
                    RecorderPop.write("ask", number++, row);
                }
            }
        }
    }

    private static void ask(Map<String, Object> row, long invisible, int batch, int threshold) throws Exception {
        DefaultMQPushConsumer consumer = new DefaultMQPushConsumer(RecorderPop.GROUP);
        consumer.setNamesrvAddr("127.0.0.1:1");
        consumer.setPopInvisibleTime(invisible);
        consumer.setPopBatchNums(batch);
        consumer.setPopThresholdForQueue(threshold);
        consumer.setMessageListener((MessageListenerConcurrently) (messages, context) -> ConsumeConcurrentlyStatus.CONSUME_SUCCESS);
        consumer.subscribe(RecorderPop.TOPIC, "*");
        DefaultMQPushConsumerImpl own = (DefaultMQPushConsumerImpl) Reflection.value(consumer, "defaultMQPushConsumerImpl");
        try {
            RecorderPop.call(own, "checkConfig");
            row.put("refused", null);
        } catch (Exception e) {
            row.put("refused", e.getMessage().split("\n")[0].trim());
        }
        MQClientInstance client = MQClientManager.getInstance().getOrCreateMQClientInstance(consumer);
        ConcurrentMap<String, Object> addresses = new ConcurrentHashMap<>();
        addresses.put("b", new HashMap<>(Collections.singletonMap(0L, "127.0.0.1:2")));
        RecorderPop.set(client, "brokerAddrTable", addresses);
        RecorderPop.set(own, "mQClientFactory", client);
        RecorderPop.set(own, "serviceState", ServiceState.RUNNING);
        RecorderPop.set(own, "pullAPIWrapper", new PullAPIWrapper(client, RecorderPop.GROUP, false));
        RecorderPop.set(client.getMQClientAPIImpl(), "remotingClient", Proxy.newProxyInstance(RemotingClient.class.getClassLoader(),
            new Class<?>[] {RemotingClient.class},
            (proxy, method, args) -> method.getName().equals("invokeAsync") ? asked((RemotingCommand) args[1], (Long) args[2]) : null));
        Class<?> data = RecorderPop.either("org.apache.rocketmq.remoting.protocol.heartbeat.SubscriptionData",
            "org.apache.rocketmq.common.protocol.heartbeat.SubscriptionData");
        Object wanted = data.getConstructor(String.class, String.class).newInstance(RecorderPop.TOPIC, "*");
        RecorderPop.call(own.getRebalanceImpl().getSubscriptionInner(), "put", RecorderPop.TOPIC, wanted);
        List<Object> pops = new ArrayList<>();
        for (int waiting : new int[] {0, threshold, threshold + 1}) {
            PopProcessQueue queue = new PopProcessQueue();
            queue.incFoundMsg(waiting);
            PopRequest request = new PopRequest();
            request.setConsumerGroup(RecorderPop.GROUP);
            request.setTopic(RecorderPop.TOPIC);
            request.setMessageQueue(new MessageQueue(RecorderPop.TOPIC, "b", -1));
            request.setPopProcessQueue(queue);
            request.setInitMode(1);
            ASKED.clear();
            RecorderPop.call(own, "popMessage", request);
            pops.add(Arrays.asList(waiting, ASKED.isEmpty() ? null : ASKED.get(0)));
        }
        row.put("pops", pops);
    }
}
