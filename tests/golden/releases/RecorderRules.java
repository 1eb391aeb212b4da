import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.BufferedReader;
import java.io.FileInputStream;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.zip.GZIPInputStream;
import org.apache.rocketmq.broker.BrokerController;
import org.apache.rocketmq.broker.filter.ExpressionMessageFilter;
import org.apache.rocketmq.broker.schedule.ScheduleMessageService;
import org.apache.rocketmq.client.consumer.DefaultMQPushConsumer;
import org.apache.rocketmq.client.impl.consumer.ConsumeMessageOrderlyService;
import org.apache.rocketmq.client.impl.consumer.DefaultMQPushConsumerImpl;
import org.apache.rocketmq.client.impl.consumer.ProcessQueue;
import org.apache.rocketmq.client.impl.consumer.PullRequest;
import org.apache.rocketmq.client.impl.factory.MQClientInstance;
import org.apache.rocketmq.common.BrokerConfig;
import org.apache.rocketmq.common.MixAll;
import org.apache.rocketmq.common.TopicFilterType;
import org.apache.rocketmq.common.message.MessageDecoder;
import org.apache.rocketmq.common.message.MessageExt;
import org.apache.rocketmq.common.message.MessageExtBrokerInner;
import org.apache.rocketmq.common.message.MessageQueue;
import org.apache.rocketmq.remoting.protocol.filter.FilterAPI;
import org.apache.rocketmq.remoting.protocol.heartbeat.SubscriptionData;
import org.apache.rocketmq.store.config.MessageStoreConfig;

/**
 * Asks the classes of the consumer's side again what those of 5.3.3 were asked: `RecorderRules RELEASE KIND FILE`.
 * KIND is tags, flow, delay, orderly or msgid; answers stand where they stood.
 */
public final class RecorderRules {
    private static final Gson GSON = new GsonBuilder().serializeNulls().disableHtmlEscaping().create();
    private static final MessageQueue QUEUE = new MessageQueue("t", "b", 0);

    private RecorderRules() {
    }

    public static void main(String[] args) throws Exception {
        PrintStream out = new PrintStream(System.out, true, "UTF-8");
        System.setOut(System.err);
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(
                new GZIPInputStream(new FileInputStream(args[2])), StandardCharsets.UTF_8))) {
            for (String line; (line = lines.readLine()) != null;) {
                JsonObject asked = JsonParser.parseString(line).getAsJsonObject();
                if (asked.has("id") && !args[1].equals("msgid")) {
                    String id = asked.get("id").getAsString();
                    asked.addProperty("id", args[0] + id.substring(id.indexOf('/')));
                }
                switch (args[1]) {
                    case "tags": filter(asked); break;
                    case "flow": pull(asked); break;
                    case "delay": delay(asked); break;
                    case "orderly": order(asked); break;
                    default: identify(asked);
                }
                out.println(GSON.toJson(asked));
            }
        }
        Runtime.getRuntime().halt(0);
    }

    private static String text(JsonElement of) {
        return of.isJsonNull() ? null : of.getAsString();
    }

    private static JsonArray list(Iterable<?> values) {
        JsonArray found = new JsonArray();
        values.forEach(value -> found.add(GSON.toJsonTree(value)));
        return found;
    }

    /** Remembers for how long each task is put off, and runs none. */
    private static final class Later extends ScheduledThreadPoolExecutor {
        final List<Long> delays = new ArrayList<>();

        Later() {
            super(1);
        }

        @Override
        public ScheduledFuture<?> schedule(Runnable task, long delay, TimeUnit unit) {
            delays.add(unit.toMillis(delay));
            return null;
        }

        @Override
        public void execute(Runnable task) {
            delays.add(0L);
        }
    }

    // ---- tags

    private static void filter(JsonObject asked) {
        if (asked.has("tagsCode")) {
            asked.addProperty("tagsCode", code(text(asked.get("tag"))));
            return;
        }
        SubscriptionData found;
        try {
            found = asked.has("type") ? FilterAPI.build("t", text(asked.get("expr")), text(asked.get("type")))
                : FilterAPI.buildSubscriptionData("t", text(asked.get("expr")));
        } catch (Exception e) {
            for (String key : new String[] {"subString", "tagsSet", "codeSet", "expressionType", "classFilterMode", "match"}) {
                asked.remove(key);
            }
            asked.addProperty("ex", e.getClass().getName());
            asked.addProperty("msg", e.getMessage());
            return;
        }
        asked.remove("ex");
        asked.remove("msg");
        asked.addProperty("subString", found.getSubString());
        asked.add("tagsSet", list(new TreeSet<>(found.getTagsSet())));
        asked.addProperty("expressionType", found.getExpressionType());
        if (asked.has("match")) {
            asked.add("codeSet", list(new TreeSet<>(found.getCodeSet())));
            asked.addProperty("classFilterMode", found.isClassFilterMode());
            for (JsonElement each : asked.getAsJsonArray("match")) {
                match(found, each.getAsJsonArray());
            }
        }
    }

    /** The broker's filter is called; the client's is written as PullAPIWrapper has it. */
    private static void match(SubscriptionData subscription, JsonArray row) {
        String tag = text(row.get(0));
        boolean passes = new ExpressionMessageFilter(subscription, null, null).isMatchedByConsumeQueue(code(tag), null);
        boolean keeps = subscription.getTagsSet().isEmpty() || tag != null && subscription.getTagsSet().contains(tag);
        row.set(1, GSON.toJsonTree(code(tag)));
        row.set(2, GSON.toJsonTree(passes ? 1 : 0));
        row.set(3, GSON.toJsonTree(keeps ? 1 : 0));
    }

    private static long code(String tag) {
        return MessageExtBrokerInner.tagsString2tagsCode(TopicFilterType.SINGLE_TAG, tag);
    }

    // ---- pulls

    private static ProcessQueue cached(int count, long bytes, long span) {
        ProcessQueue queue = new ProcessQueue();
        byte[] body = new byte[count == 0 ? 0 : (int) (bytes / count)];
        List<MessageExt> messages = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            MessageExt message = new MessageExt();
            message.setQueueOffset(i > 0 && i == count - 1 ? span : i);
            message.setBody(i == 0 ? new byte[(int) (bytes - (count - 1L) * body.length)] : body);
            messages.add(message);
        }
        queue.putMessage(messages);
        return queue;
    }

    private static void pull(JsonObject asked) throws Exception {
        String state = asked.has("state") ? asked.get("state").getAsString() : "";
        DefaultMQPushConsumer consumer = new DefaultMQPushConsumer("g");
        DefaultMQPushConsumerImpl impl = consumer.getDefaultMQPushConsumerImpl();
        MQClientInstance instance = new MQClientInstance(consumer, 0, "c");
        Later later = new Later();
        Object service = Reflection.value(instance, "pullMessageService");
        Reflection.field(service.getClass(), "scheduledExecutorService").set(service, later);
        Reflection.field(impl.getClass(), "mQClientFactory").set(impl, instance);
        if (!state.equals("not_running")) {
            Field running = Reflection.field(impl.getClass(), "serviceState");
            running.set(impl, Enum.valueOf(running.getType().asSubclass(Enum.class), "RUNNING"));
        }
        boolean counts = asked.has("branch");
        ProcessQueue queue = counts
            ? cached(asked.get("count").getAsInt(), asked.get("bytes").getAsLong(), asked.get("span").getAsLong()) : new ProcessQueue();
        queue.setLocked(counts && asked.get("locked").getAsInt() == 1);
        queue.setDropped(state.equals("dropped"));
        impl.setConsumeOrderly(counts && asked.get("orderly").getAsInt() == 1);
        impl.setPause(state.equals("paused"));
        PullRequest request = new PullRequest();
        request.setConsumerGroup("g");
        request.setMessageQueue(QUEUE);
        request.setProcessQueue(queue);
        request.setPreviouslyLocked(true);
        try {
            impl.pullMessage(request);
            asked.add("scheduled_ms", list(later.delays));
        } catch (Exception e) {
            asked.addProperty("ex", e.getClass().getName());
        }
        if (counts) {
            asked.addProperty("count", queue.getMsgCount().get());
            asked.addProperty("bytes", queue.getMsgSize().get());
            asked.addProperty("span", queue.getMaxSpan());
            asked.addProperty("branch", (Long) Reflection.value(impl, "queueFlowControlTimes") > 0 ? "count_or_size"
                : (Long) Reflection.value(impl, "queueMaxSpanFlowControlTimes") > 0 ? "span" : "no_flow_control");
        }
    }

    // ---- delay levels

    /** A broker of which only the configuration is there: it is made without its constructor. */
    private static final class Configured extends BrokerController {
        private MessageStoreConfig levels;

        private Configured() {
            super(null, null, null, null);
        }

        @Override
        public MessageStoreConfig getMessageStoreConfig() {
            return levels;
        }

        @Override
        public BrokerConfig getBrokerConfig() {
            return new BrokerConfig();
        }
    }

    private static BrokerController broker(String levels) throws Exception {
        Field of = Class.forName("sun.misc.Unsafe").getDeclaredField("theUnsafe");
        of.setAccessible(true);
        Object unsafe = of.get(null);
        Object made = unsafe.getClass().getMethod("allocateInstance", Class.class).invoke(unsafe, Configured.class);
        Configured broker = (Configured) made;
        broker.levels = new MessageStoreConfig();
        broker.levels.setMessageDelayLevel(levels);
        return broker;
    }

    private static void delay(JsonObject asked) throws Exception {
        switch (asked.get("k").getAsString()) {
            case "map":
                asked.addProperty("queueId2DelayLevel", ScheduleMessageService.queueId2DelayLevel(asked.get("x").getAsInt()));
                asked.addProperty("delayLevel2QueueId", ScheduleMessageService.delayLevel2QueueId(asked.get("x").getAsInt()));
                break;
            case "topic":
                asked.addProperty("retry", MixAll.getRetryTopic(asked.get("group").getAsString()));
                asked.addProperty("dlq", MixAll.getDLQTopic(asked.get("group").getAsString()));
                break;
            default:
                String levels = asked.get("messageDelayLevel").getAsString();
                ScheduleMessageService service = new ScheduleMessageService(broker(levels));
                asked.addProperty("isDefault", levels.equals(new MessageStoreConfig().getMessageDelayLevel()));
                asked.addProperty("ok", service.parseDelayLevel());
                JsonObject table = new JsonObject();
                new TreeMap<>((Map<?, ?>) Reflection.value(service, "delayLevelTable"))
                    .forEach((level, ms) -> table.addProperty(level.toString(), (Long) ms));
                asked.add("levels", table);
                asked.addProperty("maxDelayLevel", (Integer) Reflection.value(service, "maxDelayLevel"));
                for (JsonElement each : asked.getAsJsonArray("deliverAt_for_store_1000000")) {
                    JsonArray row = each.getAsJsonArray();
                    row.set(1, GSON.toJsonTree(service.computeDeliverTimestamp(row.get(0).getAsInt(), 1_000_000L)));
                }
        }
    }

    // ---- order

    private static void order(JsonObject asked) throws Exception {
        DefaultMQPushConsumer consumer = new DefaultMQPushConsumer("g");
        DefaultMQPushConsumerImpl impl = consumer.getDefaultMQPushConsumerImpl();
        switch (asked.get("k").getAsString()) {
            case "suspend":
                consumer.setSuspendCurrentQueueTimeMillis(asked.get("suspendCurrentQueueTimeMillis").getAsLong());
                ConsumeMessageOrderlyService service = new ConsumeMessageOrderlyService(impl, null);
                Later later = new Later();
                Reflection.field(service.getClass(), "scheduledExecutorService").set(service, later);
                Reflection.method(service.getClass(), "submitConsumeRequestLater")
                    .invoke(service, new ProcessQueue(), QUEUE, asked.get("context").getAsLong());
                asked.addProperty("scheduled_ms", later.delays.get(0));
                break;
            case "max":
                consumer.setMaxReconsumeTimes(asked.get("maxReconsumeTimes").getAsInt());
                ConsumeMessageOrderlyService orderly = new ConsumeMessageOrderlyService(impl, null);
                asked.addProperty("orderly", (Integer) most(orderly));
                asked.addProperty("concurrently", (Integer) most(impl));
                break;
            default:
                Object value = Reflection.value(impl, asked.get("field").getAsString());
                asked.add("value", value == null ? JsonNull.INSTANCE : GSON.toJsonTree(value));
        }
    }

    private static Object most(Object of) throws Exception {
        Method found = Reflection.method(of.getClass(), "getMaxReconsumeTimes");
        return found.invoke(of);
    }

    // ---- ids of messages

    private static void identify(JsonObject asked) throws Exception {
        ByteBuffer address = ByteBuffer.allocate(8);
        address.put(InetAddress.getByName(asked.get("ip").getAsString()).getAddress()).putInt(asked.get("port").getAsInt()).flip();
        String id = MessageDecoder.createMessageId(ByteBuffer.allocate(16), address, asked.get("commitLogOffset").getAsLong());
        asked.addProperty("id", id);
        asked.addProperty("decodedOffset", MessageDecoder.decodeMessageId(id).getOffset());
    }
}
