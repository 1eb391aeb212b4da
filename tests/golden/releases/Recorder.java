import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.channel.local.LocalChannel;
import io.netty.channel.local.LocalEventLoopGroup;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.rocketmq.client.ClientConfig;
import org.apache.rocketmq.client.Validators;
import org.apache.rocketmq.client.exception.MQBrokerException;
import org.apache.rocketmq.client.exception.MQClientException;
import org.apache.rocketmq.client.impl.producer.DefaultMQProducerImpl;
import org.apache.rocketmq.client.impl.producer.TopicPublishInfo;
import org.apache.rocketmq.client.latency.MQFaultStrategy;
import org.apache.rocketmq.client.producer.DefaultMQProducer;
import org.apache.rocketmq.client.producer.SendCallback;
import org.apache.rocketmq.client.producer.SendResult;
import org.apache.rocketmq.client.producer.selector.SelectMessageQueueByHash;
import org.apache.rocketmq.common.message.Message;
import org.apache.rocketmq.common.message.MessageQueue;
import org.apache.rocketmq.remoting.netty.NettyRemotingClient;
import org.apache.rocketmq.remoting.protocol.RemotingCommand;

/** Asks the classes of one published client release what they decide: `Recorder RELEASE`, one JSON case a line. */
public final class Recorder {
    private static final int CASES = 300;
    private static final int RETRIES_MAX = 5;
    private static final long SPREAD = 0x9E3779B97F4A7C15L; // seeds side by side give like first draws
    private static final int BROKERS = 3;
    private static final int QUEUES = 4;
    private static final int OK = 0, CODE = 1, SILENT = 2, FAILS = 3, REFUSED = 4;
    private static final int[] CODES = {1, 2, 3, 10, 11, 12, 13, 14, 16, 17, 29, 204, 205, 215, 1500};
    private static final PrintStream OUT = System.out;
    private static String release;

    public static void main(String[] args) throws Exception {
        release = args[0];
        System.setOut(System.err);
        hashes();
        selections();
        topics();
        durations();
        for (int number = 0; number < CASES; number++) {
            new Calls(number).record();
        }
        OUT.flush();
        Runtime.getRuntime().halt(0);
    }

    private static void print(String kind, String fields) {
        OUT.println("{\"v\": \"" + release + "\", \"k\": \"" + kind + "\", " + fields + "}");
    }

    // ---- classes that run alone

    private static final class Hashed {
        private final int hash;

        Hashed(int hash) {
            this.hash = hash;
        }

        @Override
        public int hashCode() {
            return hash;
        }
    }

    private static int drawn(Random random) {
        int[] edges = {Integer.MIN_VALUE, Integer.MIN_VALUE + 1, Integer.MAX_VALUE, Integer.MAX_VALUE - 1, -1, 0, 1};
        int draw = random.nextInt(4);
        return draw == 0 ? edges[random.nextInt(edges.length)] : random.nextInt();
    }

    private static void hashes() {
        Random random = new Random(1);
        List<String> rows = new ArrayList<>();
        for (int i = 0; i < 400; i++) {
            int hash = drawn(random);
            int queues = 1 + random.nextInt(random.nextBoolean() ? 16 : 1000);
            List<MessageQueue> list = new ArrayList<>();
            for (int q = 0; q < queues; q++) {
                list.add(new MessageQueue("t", "b", q));
            }
            int place;
            try {
                place = new SelectMessageQueueByHash().select(list, null, new Hashed(hash)).getQueueId();
            } catch (IndexOutOfBoundsException e) {
                place = -1;
            }
            rows.add("[" + hash + ", " + queues + ", " + place + "]");
        }
        print("hash", "\"rows\": " + rows);
    }

    /** Cases as in `select-V.jsonl`: the strategy off, a drawn first counter value. */
    private static void selections() throws Exception {
        Random random = new Random(2);
        StringBuilder data = new StringBuilder();
        StringBuilder list = new StringBuilder();
        for (int broker = 0; broker < BROKERS; broker++) {
            data.append(broker == 0 ? "" : ", ").append("[" + broker + ", 4, 4, 6, [0]]");
            for (int queue = 0; queue < QUEUES; queue++) {
                list.append(list.length() == 0 ? "" : ", ").append(broker + ", " + queue);
            }
        }
        MQFaultStrategy strategy = (MQFaultStrategy) Reflection.field(DefaultMQProducerImpl.class, "mqFaultStrategy")
            .get(new DefaultMQProducer("group").getDefaultMQProducerImpl());
        Method select = Reflection.method(MQFaultStrategy.class, "selectOneMessageQueue");
        for (int number = 0; number < 100; number++) {
            TopicPublishInfo info = new TopicPublishInfo();
            for (int broker = 0; broker < BROKERS; broker++) {
                for (int queue = 0; queue < QUEUES; queue++) {
                    info.getMessageQueueList().add(new MessageQueue("orders", "broker-" + broker, queue));
                }
            }
            Script script = new Script(drawn(random));
            Object counter = info.getSendWhichQueue();
            Reflection.field(counter.getClass(), "random").set(counter, script);
            List<String> ops = new ArrayList<>();
            for (int step = 0; step < 6; step++) {
                int last = random.nextInt(BROKERS + 1) - 1;
                String name = last < 0 ? null : "broker-" + last;
                boolean resets = select.getParameterCount() == 3;
                MessageQueue queue = (MessageQueue) (resets
                    ? select.invoke(strategy, info, name, false) : select.invoke(strategy, info, name));
                ops.add("[\"s\", 0, " + (last < 0 ? "null" : last) + (resets ? ", 0" : "") + ", " + broker(queue.getBrokerName())
                    + ", " + queue.getQueueId() + ", "
                    + ((ThreadLocal<?>) Reflection.field(counter.getClass(), "threadLocalIndex").get(counter)).get() + "]");
            }
            print("select", "\"id\": \"rules/" + number + "\", \"t0\": 0, \"en\": 0, \"lm\": [50], \"nd\": [0], \"w0\": 0, \"names\": "
                + "[\"broker-0\", \"broker-1\", \"broker-2\"], \"topics\": [{\"qd\": [" + data + "], \"oc\": null, \"s0\": "
                + script.next + ", \"list\": [" + list + "]}], \"ops\": " + ops);
        }
    }

    private static final class Script extends Random {
        private final int next;

        Script(int next) {
            this.next = next;
        }

        @Override
        public int nextInt() {
            return next;
        }
    }

    private static void topics() throws Exception {
        Random random = new Random(3);
        List<String> names = new ArrayList<>(Arrays.asList("TBW102", "SCHEDULE_TOPIC_XXXX", "BenchmarkTest",
            "RMQ_SYS_TRANS_HALF_TOPIC", "RMQ_SYS_TRACE_TOPIC", "RMQ_SYS_TRANS_OP_HALF_TOPIC", "TRANS_CHECK_MAX_TIME_TOPIC",
            "SELF_TEST_TOPIC", "OFFSET_MOVED_EVENT", "CHECKPOINT_TOPIC", "DefaultCluster_REPLY_TOPIC", "%RETRY%group",
            "%DLQ%group", "rmq_sys_wheel_timer", "rmq_sys_REVIVE_LOG_DefaultCluster", "orders", "a b", "", " ", "a.b", "a|b"));
        String letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-%|";
        for (int i = 0; i < 300; i++) {
            StringBuilder name = new StringBuilder();
            int length = random.nextInt(4) == 0 ? 120 + random.nextInt(16) : 1 + random.nextInt(280);
            for (int c = 0; c < length; c++) {
                name.append(letters.charAt(random.nextInt(letters.length())));
            }
            if (random.nextInt(4) == 0) {
                name.setCharAt(random.nextInt(length), (char) (33 + random.nextInt(94)));
            }
            names.add(name.toString());
        }
        DefaultMQProducer producer = new DefaultMQProducer("group");
        List<String> rows = new ArrayList<>();
        for (String name : names) {
            rows.add("[" + quoted(name) + ", " + checked(producer, name, 1) + "]");
        }
        List<String> sizes = new ArrayList<>();
        for (int bytes : new int[] {0, 1, 1 << 22, (1 << 22) + 1, 1 << 23}) {
            sizes.add("[" + bytes + ", " + checked(producer, "orders", bytes) + "]");
        }
        print("topic", "\"rows\": " + rows + ", \"sizes\": " + sizes);
    }

    private static String checked(DefaultMQProducer producer, String topic, int bytes) {
        try {
            Validators.checkMessage(new Message(topic, new byte[bytes]), producer);
            return "null";
        } catch (MQClientException e) {
            return String.valueOf(e.getResponseCode());
        }
    }

    private static void durations() throws Exception {
        DefaultMQProducer producer = new DefaultMQProducer("group");
        MQFaultStrategy strategy = (MQFaultStrategy) Reflection.field(DefaultMQProducerImpl.class, "mqFaultStrategy")
            .get(producer.getDefaultMQProducerImpl());
        Method compute = MQFaultStrategy.class.getDeclaredMethod("computeNotAvailableDuration", long.class);
        compute.setAccessible(true);
        Random random = new Random(4);
        List<String> rows = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            long latency = i < strategy.getLatencyMax().length * 2
                ? strategy.getLatencyMax()[i / 2] - i % 2
                : random.nextInt(random.nextBoolean() ? 1000 : 40000);
            rows.add("[" + latency + ", " + compute.invoke(strategy, latency) + "]");
        }
        print("duration", "\"rows\": " + rows);
    }

    // ---- the send path over a stubbed channel

    /** One message of one producer; attempt k meets line k of the script, whichever broker it goes to. */
    private static final class Calls extends ChannelDuplexHandler {
        private final int number;
        private final boolean async;
        private final int timeout;
        private final int retries;
        private final boolean notStoreOk;
        private final int[][] script;
        private final List<String> calls = new ArrayList<>();
        private final List<String> updates = new ArrayList<>();
        private final List<String> results = Collections.synchronizedList(new ArrayList<>());
        private final Map<String, Object> channels = new ConcurrentHashMap<>();
        private final DefaultMQProducer producer;
        private final CountDownLatch returned = new CountDownLatch(1);
        private NettyRemotingClient remoting;
        private volatile int attempt = -1;
        private volatile RemotingCommand pending;
        private volatile ChannelPromise failing;
        private volatile int[] fate;

        Calls(int number) throws Exception {
            Random random = new Random(number * SPREAD);
            this.number = number;
            this.async = number % 2 == 1;
            this.timeout = async ? 3000 : 40;
            this.retries = random.nextInt(RETRIES_MAX + 1);
            this.notStoreOk = random.nextInt(3) == 0;
            this.script = new int[retries + 1][];
            for (int k = 0; k <= retries; k++) {
                int kind = random.nextInt(5);
                int code = CODES[random.nextInt(CODES.length)];
                int after = random.nextInt(4) == 0 ? random.nextInt(timeout + timeout / 2) : random.nextInt(timeout / 4);
                script[k] = new int[] {kind, code, kind == SILENT ? 0 : after};
            }
            producer = new DefaultMQProducer("group" + number);
            Clock.now = 1_000_000L;
            prepare();
        }

        private void prepare() throws Exception {
            producer.setNamesrvAddr("127.0.0.1:1");
            producer.setInstanceName("i" + number);
            producer.setSendMsgTimeout(timeout);
            producer.setRetryTimesWhenSendFailed(retries);
            producer.setRetryTimesWhenSendAsyncFailed(retries);
            producer.setRetryAnotherBrokerWhenNotStoreOK(notStoreOk);
            DefaultMQProducerImpl impl = producer.getDefaultMQProducerImpl();
            Class<?> managerClass = Class.forName("org.apache.rocketmq.client.impl.MQClientManager");
            Object manager = managerClass.getMethod("getInstance").invoke(null);
            Object instance = any(managerClass, "getOrCreateMQClientInstance", "getAndCreateMQClientInstance")
                .invoke(manager, producer, null);
            Reflection.field(DefaultMQProducerImpl.class, "mQClientFactory").set(impl, instance);
            Field state = Reflection.field(DefaultMQProducerImpl.class, "serviceState");
            state.set(impl, Enum.valueOf(state.getType().asSubclass(Enum.class), "RUNNING"));
            Object api = Reflection.field(instance.getClass(), "mQClientAPIImpl").get(instance);
            remoting = (NettyRemotingClient) Reflection.field(api.getClass(), "remotingClient").get(api);
            remoting.setCallbackExecutor(new DirectExecutor());
            if (async) {
                for (Method setter : DefaultMQProducerImpl.class.getMethods()) {
                    if (setter.getName().equals("setAsyncSenderExecutor")) {
                        setter.invoke(impl, new DirectExecutor());
                    }
                }
            }
            Bootstrap bootstrap = (Bootstrap) Reflection.field(NettyRemotingClient.class, "bootstrap").get(remoting);
            bootstrap.group(REFUSING).channel(LocalChannel.class).handler(new ChannelDuplexHandler());
            Map<String, Object> addresses = cast(Reflection.field(instance.getClass(), "brokerAddrTable").get(instance));
            TopicPublishInfo info = new TopicPublishInfo();
            for (int broker = 0; broker < BROKERS; broker++) {
                HashMap<Long, String> of = new HashMap<>();
                of.put(0L, "127.0.0." + (2 + broker) + ":10911");
                addresses.put("broker-" + broker, of);
                for (int queue = 0; queue < QUEUES; queue++) {
                    info.getMessageQueueList().add(new MessageQueue("orders", "broker-" + broker, queue));
                }
                channels.put("127.0.0." + (2 + broker), wrapper(new EmbeddedChannel(this), "127.0.0." + (2 + broker)));
            }
            info.setHaveTopicRouterInfo(true);
            impl.getTopicPublishInfoTable().put("orders", info);
            Reflection.field(NettyRemotingClient.class, "channelTables").set(remoting, new Table());
            Object strategy = Reflection.field(DefaultMQProducerImpl.class, "mqFaultStrategy").get(impl);
            ((MQFaultStrategy) strategy).setSendLatencyFaultEnable(true);
            Field tolerance = Reflection.field(MQFaultStrategy.class, "latencyFaultTolerance");
            Object real = tolerance.get(strategy);
            tolerance.set(strategy, Proxy.newProxyInstance(Recorder.class.getClassLoader(),
                new Class<?>[] {tolerance.getType()}, (proxy, called, with) -> {
                    if (called.getName().equals("updateFaultItem")) {
                        synchronized (updates) {
                            updates.add("[" + (Clock.now - 1_000_000L) + ", " + broker((String) with[0]) + ", " + with[1] + ", "
                                + with[2] + (with.length > 3 ? ", " + ((Boolean) with[3] ? 1 : 0) : "") + "]");
                        }
                    }
                    return called.invoke(real, with);
                }));
        }

        private Object wrapper(EmbeddedChannel channel, String address) throws Exception {
            Class<?> type = Class.forName("org.apache.rocketmq.remoting.netty.NettyRemotingClient$ChannelWrapper");
            ChannelFuture future = channel.newSucceededFuture();
            for (Constructor<?> constructor : type.getDeclaredConstructors()) {
                constructor.setAccessible(true);
                Object[] with = new Object[constructor.getParameterCount()];
                for (int i = 0; i < with.length; i++) {
                    Class<?> wanted = constructor.getParameterTypes()[i];
                    with[i] = wanted == String.class ? address : wanted == ChannelFuture.class ? future : remoting;
                }
                return constructor.newInstance(with);
            }
            throw new IllegalStateException();
        }

        /** The connections; an attempt begins where one is asked for by getAndCreateChannel or ...Async. */
        private final class Table extends ConcurrentHashMap<String, Object> {
            @Override
            public Object get(Object address) {
                String host = ((String) address).split(":")[0];
                if (!isAskedBy("getAndCreateChannel")) {
                    return fate != null && fate[0] == REFUSED ? null : channels.get(host);
                }
                attempt++;
                fate = script[Math.min(attempt, script.length - 1)];
                if (fate[0] == REFUSED) {
                    calls.add("[" + (host.charAt(host.length() - 1) - '2') + ", null, " + (Clock.now - 1_000_000L) + "]");
                    return null;
                }
                return open(host);
            }

            /** The connection to a broker, made anew if the client has closed it. */
            private Object open(String host) {
                try {
                    if (!channelOf(channels.get(host)).isActive()) {
                        channels.put(host, wrapper(new EmbeddedChannel(Calls.this), host));
                    }
                    return channels.get(host);
                } catch (Exception e) {
                    throw new IllegalStateException(e);
                }
            }

            private boolean isAskedBy(String caller) {
                return StackWalker.getInstance().walk(frames -> frames.skip(2).findFirst())
                    .map(frame -> frame.getMethodName().startsWith(caller)).orElse(false);
            }

            @Override
            public Object put(String address, Object wrapper) {
                return null;
            }

            @Override
            public Object remove(Object address) {
                return null;
            }
        }

        @Override
        public boolean isSharable() {
            return true;
        }

        @Override
        public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) throws Exception {
            RemotingCommand request = (RemotingCommand) message;
            int broker = -1;
            for (Map.Entry<String, Object> entry : channels.entrySet()) {
                if (channelOf(entry.getValue()) == context.channel()) {
                    broker = entry.getKey().charAt(entry.getKey().length() - 1) - '2';
                }
            }
            Object header = request.readCustomHeader();
            Object queue = header.getClass().getSimpleName().endsWith("V2")
                ? Reflection.field(header.getClass(), "e").get(header) : Reflection.field(header.getClass(), "queueId").get(header);
            calls.add("[" + broker + ", " + queue + ", " + (Clock.now - 1_000_000L) + ", " + timeoutOf(request.getOpaque()) + "]");
            if (fate[0] == FAILS && async) {
                failing = promise;
                return;
            }
            if (fate[0] == FAILS) {
                Clock.now += fate[2];
                promise.setFailure(new IOException("scripted"));
                return;
            }
            promise.setSuccess();
            if (async) {
                pending = request;
            } else if (fate[0] == SILENT || fate[2] >= timeoutOf(request.getOpaque())) {
                Clock.now += timeoutOf(request.getOpaque());
            } else {
                Clock.now += fate[2];
                answer(request);
            }
        }

        private Channel channelOf(Object wrapper) throws Exception {
            Method channel = wrapper.getClass().getDeclaredMethod("getChannel");
            channel.setAccessible(true);
            return (Channel) channel.invoke(wrapper);
        }

        private Map<Integer, Object> responses() throws Exception {
            return cast(Reflection.field(NettyRemotingClient.class.getSuperclass(), "responseTable").get(remoting));
        }

        private long timeoutOf(int opaque) throws Exception {
            Object future = responses().get(opaque);
            return (Long) future.getClass().getMethod("getTimeoutMillis").invoke(future);
        }

        private void answer(RemotingCommand request) throws Exception {
            int code = fate[0] == CODE ? fate[1] : 0;
            RemotingCommand response = RemotingCommand.createResponseCommand(code, "scripted");
            response.setOpaque(request.getOpaque());
            response.addExtField("msgId", "0");
            response.addExtField("queueId", "7");
            response.addExtField("queueOffset", "0");
            Reflection.method(NettyRemotingClient.class, "processResponseCommand").invoke(remoting, null, response);
        }

        void record() throws Exception {
            Message message = new Message("orders", new byte[8]);
            if (async && connectsLater()) {
                REFUSING.submit(() -> returned.await(10, TimeUnit.SECONDS));
            }
            try {
                if (async) {
                    producer.send(message, new SendCallback() {
                        @Override
                        public void onSuccess(SendResult result) {
                            results.add("[\"ok\", \"" + result.getSendStatus() + "\"]");
                        }

                        @Override
                        public void onException(Throwable e) {
                            results.add("[\"ex\", " + named(e) + "]");
                        }
                    });
                    goOn();
                } else {
                    results.add("[\"ok\", \"" + producer.send(message).getSendStatus() + "\"]");
                }
            } catch (Exception e) {
                results.add("[\"throw\", " + named(e) + "]");
                goOn();
            }
            List<String> lines = new ArrayList<>();
            for (int[] line : script) {
                lines.add(Arrays.toString(line));
            }
            print(async ? "call-async" : "call-sync", "\"id\": " + number + ", \"to\": " + timeout + ", \"rt\": " + retries
                + ", \"ns\": " + (notStoreOk ? 1 : 0) + ", \"script\": " + lines + ", \"calls\": " + calls
                + ", \"updates\": " + updates + ", \"results\": " + results);
        }

        private void goOn() throws Exception {
            returned.countDown();
            settle();
            while (pending != null || failing != null) {
                if (failing != null) {
                    ChannelPromise promise = failing;
                    failing = null;
                    promise.setFailure(new IOException("scripted"));
                    settle();
                    continue;
                }
                RemotingCommand request = pending;
                pending = null;
                long waits = timeoutOf(request.getOpaque()) + 1000;
                if (fate[0] == SILENT || fate[2] >= waits) {
                    Clock.now += waits;
                    Reflection.method(NettyRemotingClient.class, "scanResponseTable").invoke(remoting);
                } else {
                    Clock.now += fate[2];
                    answer(request);
                }
                settle();
            }
        }

        /** Waits until what another thread does about a refused connection is done. */
        private void settle() throws InterruptedException {
            if (!connectsLater() || !hasRefusal()) {
                return;
            }
            for (int quiet = 0, seen = -1, waited = 0; quiet < 8 && waited < 2500; quiet++, waited++) {
                int now = calls.size() + updates.size() + results.size();
                if (now != seen || results.isEmpty() && pending == null && failing == null) {
                    quiet = 0;
                    seen = now;
                }
                Thread.sleep(4);
            }
        }

        /** 5.3.0 and later connect on another thread: what comes of it is held back until send() has returned. */
        private static boolean connectsLater() {
            return Arrays.stream(NettyRemotingClient.class.getDeclaredMethods())
                .anyMatch(found -> found.getName().equals("createChannelAsync"));
        }

        private boolean hasRefusal() {
            for (int[] line : script) {
                if (line[0] == REFUSED) {
                    return true;
                }
            }
            return false;
        }
    }

    private static final LocalEventLoopGroup REFUSING = new LocalEventLoopGroup(1);

    // ---- reflection

    private static String named(Throwable e) {
        Object code = null;
        if (e instanceof MQClientException) {
            code = ((MQClientException) e).getResponseCode();
        } else if (e instanceof MQBrokerException) {
            code = ((MQBrokerException) e).getResponseCode();
        }
        return "\"" + e.getClass().getSimpleName() + "\", " + code;
    }

    private static int broker(String name) {
        return name.charAt(name.length() - 1) - '0';
    }

    private static Method any(Class<?> type, String... names) throws NoSuchMethodException {
        for (Method found : type.getMethods()) {
            if (Arrays.asList(names).contains(found.getName()) && found.getParameterCount() == 2
                && found.getParameterTypes()[0] == ClientConfig.class) {
                return found;
            }
        }
        throw new NoSuchMethodException(type + "." + Arrays.toString(names));
    }

    @SuppressWarnings("unchecked")
    private static <T> T cast(Object value) {
        return (T) value;
    }

    private static String quoted(String text) {
        return "\"" + text.replace("\\", "\\\\").replace("\"", "\\\"") + "\"";
    }
}
