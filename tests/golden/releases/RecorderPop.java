import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import java.io.File;
import java.io.PrintStream;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.rocketmq.broker.BrokerController;
import org.apache.rocketmq.broker.processor.QueryAssignmentProcessor;
import org.apache.rocketmq.client.consumer.AllocateMessageQueueStrategy;
import org.apache.rocketmq.client.consumer.rebalance.AllocateMessageQueueAveragely;
import org.apache.rocketmq.client.consumer.rebalance.AllocateMessageQueueAveragelyByCircle;
import org.apache.rocketmq.common.BrokerConfig;
import org.apache.rocketmq.common.message.MessageQueue;
import org.apache.rocketmq.remoting.netty.NettyClientConfig;
import org.apache.rocketmq.remoting.netty.NettyServerConfig;
import org.apache.rocketmq.store.config.MessageStoreConfig;

/** Asks what POP decides: `RecorderPop RELEASE KIND`, KIND is one of those that `main` knows. */
public final class RecorderPop {
    static final Gson GSON = new GsonBuilder().serializeNulls().disableHtmlEscaping().create();
    static final String GROUP = "g";
    static final String TOPIC = "t";
    static MessageStoreConfig storeConfig;
    private static PrintStream out;
    private static String release;

    private RecorderPop() {
    }

    public static void main(String[] args) throws Exception {
        out = new PrintStream(System.out, true, "UTF-8");
        System.setOut(System.err);
        release = args[0];
        Clock.now = 1_000_000_000_000L;
        switch (args[1]) {
            case "alloc": allocate(); break;
            case "order": RecorderPopOrder.record(); break;
            case "read": RecorderPopRead.record(); break;
            case "revive": RecorderPopRevive.record(); break;
            case "wake": RecorderPopWake.record(); break;
            case "fail": RecorderPopFail.record(); break;
            case "ask": RecorderPopAsk.record(); break;
            default: RecorderPopBuffer.record();
        }
        Runtime.getRuntime().halt(0);
    }

    static void write(String kind, int number, Map<String, Object> rest) {
        Map<String, Object> row = new LinkedHashMap<>();
        row.put("id", release + "/" + kind + "/" + String.format("%03d", number));
        row.put("k", kind);
        row.putAll(rest);
        out.println(GSON.toJson(row));
    }

    static boolean since(String first) {
        return compare(release, first) >= 0;
    }

    private static int compare(String one, String other) {
        int[] a = Arrays.stream(one.split("\\.")).mapToInt(Integer::parseInt).toArray();
        int[] b = Arrays.stream(other.split("\\.")).mapToInt(Integer::parseInt).toArray();
        return Arrays.compare(a, b);
    }

    // ---- access to what is not public, by name and number of parameters

    static Object call(Object of, String name, Object... args) throws Exception {
        return call(of.getClass(), of, name, args);
    }

    static Object call(Class<?> type, Object of, String name, Object... args) throws Exception {
        for (Class<?> at = type; at != null; at = at.getSuperclass()) {
            for (Method each : at.getDeclaredMethods()) {
                if (each.getName().equals(name) && each.getParameterCount() == args.length && fits(each, args)) {
                    each.setAccessible(true);
                    try {
                        return each.invoke(of, args);
                    } catch (InvocationTargetException e) {
                        throw e.getCause() instanceof Exception ? (Exception) e.getCause() : e;
                    }
                }
            }
        }
        throw new NoSuchMethodException(type + "." + name + " of " + args.length);
    }

    private static boolean fits(Method method, Object[] args) {
        Class<?>[] types = method.getParameterTypes();
        for (int i = 0; i < args.length; i++) {
            boolean simple = types[i].isPrimitive();
            if (args[i] == null ? simple : !simple && !types[i].isInstance(args[i])) {
                return false;
            }
            if (simple && !(args[i] instanceof Number) && !(args[i] instanceof Boolean)) {
                return false;
            }
            if (simple && (types[i] == boolean.class) != (args[i] instanceof Boolean)) {
                return false;
            }
            if (types[i] == int.class && args[i] instanceof Long) {
                return false;
            }
        }
        return true;
    }

    static void set(Object of, String name, Object value) throws Exception {
        Reflection.field(of.getClass(), name).set(of, value);
    }

    static boolean has(Class<?> type, String name) {
        try {
            Reflection.field(type, name);
            return true;
        } catch (NoSuchFieldException e) {
            return false;
        }
    }

    static Object raw(Class<?> type) throws Exception {
        Field only = sun.misc.Unsafe.class.getDeclaredField("theUnsafe");
        only.setAccessible(true);
        return ((sun.misc.Unsafe) only.get(null)).allocateInstance(type);
    }

    static Class<?> either(String... names) throws ClassNotFoundException {
        for (String name : names) {
            try {
                return Class.forName(name, true, RecorderPop.class.getClassLoader());
            } catch (ClassNotFoundException e) {
                // the other release's
            }
        }
        throw new ClassNotFoundException(Arrays.toString(names));
    }

    // ---- a broker that was made and not started

    static BrokerController broker(RecorderPopStore store, BrokerConfig config) throws Exception {
        File home = Files.createTempDirectory("pop").toFile();
        home.deleteOnExit();
        storeConfig = new MessageStoreConfig();
        storeConfig.setStorePathRootDir(home.getPath());
        storeConfig.setStorePathCommitLog(home.getPath() + "/commitlog");
        config.setBrokerName("b");
        config.setBrokerClusterName("c");
        config.setBrokerIP1("127.0.0.1");
        BrokerController made = new BrokerController(config, new NettyServerConfig(), new NettyClientConfig(), storeConfig);
        Object timer = raw(either("org.apache.rocketmq.store.timer.TimerMessageStore"));
        store.timer = timer;
        made.setMessageStore(store.store());
        if (has(made.getClass(), "brokerMetricsManager") && Reflection.value(made, "brokerMetricsManager") == null) {
            Class<?> type = either("org.apache.rocketmq.broker.metrics.BrokerMetricsManager");
            set(made, "brokerMetricsManager", type.getConstructor(BrokerController.class).newInstance(made));
        }
        if (Reflection.value(made, "pullMessageExecutor") == null) {
            set(made, "pullMessageExecutor", java.util.concurrent.Executors.newFixedThreadPool(1));
        }
        return made;
    }

    /** The timer has delivered everything up to a moment. */
    static void read(RecorderPopStore store, long until) throws Exception {
        Reflection.field(store.timer.getClass(), "currReadTimeMs").setLong(store.timer, until);
    }

    static void topic(BrokerController broker, String name, int queues) throws Exception {
        Class<?> type = either("org.apache.rocketmq.common.TopicConfig");
        Constructor<?> maker = type.getConstructor(String.class, int.class, int.class, int.class);
        @SuppressWarnings("unchecked")
        Map<String, Object> table = (Map<String, Object>) call(Reflection.value(broker, "topicConfigManager"), "getTopicConfigTable");
        table.put(name, maker.newInstance(name, queues, queues, 6));
    }

    static void group(BrokerController broker, String name) throws Exception {
        Class<?> type = either("org.apache.rocketmq.remoting.protocol.subscription.SubscriptionGroupConfig",
            "org.apache.rocketmq.common.subscription.SubscriptionGroupConfig");
        Object made = type.getConstructor().newInstance();
        call(made, "setGroupName", name);
        @SuppressWarnings("unchecked")
        Map<String, Object> table = (Map<String, Object>) call(Reflection.value(broker, "subscriptionGroupManager"), "getSubscriptionGroupTable");
        table.put(name, made);
    }

    // ---- allocation

    private static void allocate() throws Exception {
        Random random = new Random(11);
        QueryAssignmentProcessor processor = (QueryAssignmentProcessor) raw(QueryAssignmentProcessor.class);
        int number = 0;
        for (int i = 0; i < 240; i++) {
            List<MessageQueue> queues = new ArrayList<>();
            List<Object> shown = new ArrayList<>();
            int brokers = 1 + random.nextInt(3);
            for (int b = 0; b < brokers; b++) {
                int count = random.nextInt(12) == 0 ? 0 : 1 + random.nextInt(6);
                for (int q = 0; q < count; q++) {
                    queues.add(new MessageQueue(TOPIC, "broker-" + (char) ('a' + b), q));
                    shown.add(Arrays.asList("broker-" + (char) ('a' + b), q));
                }
            }
            List<String> consumers = new ArrayList<>();
            int members = 1 + random.nextInt(8);
            for (int c = 0; c < members; c++) {
                consumers.add("c" + c);
            }
            int share = random.nextInt(members + 3) - 1;
            String me = random.nextInt(30) == 0 ? "stranger" : random.nextInt(40) == 0 ? "" : "c" + random.nextInt(members);
            String name = i % 4 == 3 ? "AVG_BY_CIRCLE" : "AVG";
            AllocateMessageQueueStrategy strategy = i % 4 == 3 ? new AllocateMessageQueueAveragelyByCircle() : new AllocateMessageQueueAveragely();
            Map<String, Object> row = new LinkedHashMap<>();
            row.put("s", name);
            row.put("share", share);
            row.put("cid", me);
            row.put("mq", shown);
            row.put("cids", consumers);
            try {
                List<Object> given = new ArrayList<>();
                for (MessageQueue each : processor.allocate4Pop(strategy, GROUP, me, queues, consumers, share)) {
                    given.add(Arrays.asList(each.getBrokerName(), each.getQueueId()));
                }
                row.put("r", given);
            } catch (Exception e) {
                row.put("ex", e.getMessage());
            }
            write("alloc", number++, row);
        }
    }
}
