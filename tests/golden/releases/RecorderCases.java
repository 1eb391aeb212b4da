import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import com.google.gson.JsonPrimitive;
import java.io.BufferedReader;
import java.io.FileInputStream;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.zip.GZIPInputStream;
import org.apache.rocketmq.client.ClientConfig;
import org.apache.rocketmq.client.exception.MQBrokerException;
import org.apache.rocketmq.client.exception.MQClientException;
import org.apache.rocketmq.client.impl.MQClientManager;
import org.apache.rocketmq.client.impl.factory.MQClientInstance;
import org.apache.rocketmq.client.impl.producer.DefaultMQProducerImpl;
import org.apache.rocketmq.client.impl.producer.TopicPublishInfo;
import org.apache.rocketmq.client.latency.LatencyFaultTolerance;
import org.apache.rocketmq.client.latency.LatencyFaultToleranceImpl;
import org.apache.rocketmq.client.latency.MQFaultStrategy;
import org.apache.rocketmq.client.producer.DefaultMQProducer;
import org.apache.rocketmq.client.producer.SendCallback;
import org.apache.rocketmq.client.producer.SendResult;
import org.apache.rocketmq.common.message.Message;
import org.apache.rocketmq.common.message.MessageQueue;
import org.apache.rocketmq.remoting.InvokeCallback;
import org.apache.rocketmq.remoting.RemotingClient;
import org.apache.rocketmq.remoting.exception.RemotingConnectException;
import org.apache.rocketmq.remoting.exception.RemotingException;
import org.apache.rocketmq.remoting.exception.RemotingSendRequestException;
import org.apache.rocketmq.remoting.exception.RemotingTimeoutException;
import org.apache.rocketmq.remoting.exception.RemotingTooMuchRequestException;
import org.apache.rocketmq.remoting.protocol.RemotingCommand;
import org.apache.rocketmq.remoting.protocol.route.BrokerData;
import org.apache.rocketmq.remoting.protocol.route.QueueData;
import org.apache.rocketmq.remoting.protocol.route.TopicRouteData;

/**
 * Asks the classes of a client from 5.3.3 on again what an earlier one was asked: `RecorderCases RELEASE KIND FILE`.
 * KIND is select, send or async; questions, routes, scripts and draws are those of FILE, answers those of the classes.
 */
public final class RecorderCases {
    private static final int ROUTE = 105, HEARTBEAT = 34, MAX_OFFSET = 30, NO_TOPIC = 17;
    private static final int ANSWERS = 0, REFUSES = 1, SENDS_CODE = 3, SENDS_STATUS = 4, FAILS = 5, CONNECTS = 6;
    private static final long SCAN_GRACE = 1000, ASYNC_CONNECT_MAX = 200, DETECT_TIMEOUT = 200;
    private static final long[][] TASKS = {{10, 30000}, {1000, 30000}, {3000, 3000}}; // first, period: poll, heartbeat, detector
    private static final Gson GSON = new GsonBuilder().serializeNulls().disableHtmlEscaping().create();

    private RecorderCases() {
    }

    public static void main(String[] args) throws Exception {
        PrintStream out = new PrintStream(System.out, true, "UTF-8");
        System.setOut(System.err);
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(
                new GZIPInputStream(new FileInputStream(args[2])), "UTF-8"))) {
            for (String line; (line = lines.readLine()) != null;) {
                JsonObject asked = JsonParser.parseString(line).getAsJsonObject();
                JsonObject told = args[1].equals("select") ? new Selecting(asked).run() : new Sending(asked, args[1].equals("async")).run();
                told.addProperty("id", args[0] + asked.get("id").getAsString().substring(asked.get("v").getAsString().length()));
                told.addProperty("v", args[0]);
                out.println(GSON.toJson(told));
            }
        }
        Runtime.getRuntime().halt(0);
    }

    /** What a case of either kind has: its brokers, its clock, its fault table. */
    private abstract static class Asking {
        final JsonObject asked;
        final List<String> names = new ArrayList<>();
        final long start;
        JsonArray known = new JsonArray();

        Asking(JsonObject asked) {
            this.asked = asked;
            asked.getAsJsonArray("names").forEach(name -> names.add(name.getAsString()));
            start = asked.get("t0").getAsLong();
            Clock.now = start;
        }

        boolean is(String key) {
            return asked.get(key).getAsInt() == 1;
        }

        /** The case with what was answered in the place of what was asked. */
        JsonObject with(String key, JsonArray answers) {
            JsonObject told = new JsonObject();
            asked.entrySet().forEach(entry -> told.add(entry.getKey(), entry.getKey().equals(key) ? answers : entry.getValue()));
            return told;
        }

        void set(MQFaultStrategy strategy) {
            strategy.setSendLatencyFaultEnable(is("en"));
            strategy.setLatencyMax(longs("lm"));
            strategy.setNotAvailableDuration(longs("nd"));
        }

        private long[] longs(String key) {
            List<Long> found = new ArrayList<>();
            asked.getAsJsonArray(key).forEach(each -> found.add(each.getAsLong()));
            return found.stream().mapToLong(Long::longValue).toArray();
        }

        TopicRouteData route(JsonArray queueDatas, JsonElement orderConf) {
            TopicRouteData route = new TopicRouteData();
            route.setQueueDatas(new ArrayList<>());
            route.setBrokerDatas(new ArrayList<>());
            route.setOrderTopicConf(orderConf.isJsonNull() ? null : orderConf.getAsString());
            for (JsonElement each : queueDatas) {
                JsonArray row = each.getAsJsonArray();
                QueueData data = new QueueData();
                data.setBrokerName(names.get(row.get(0).getAsInt()));
                data.setReadQueueNums(row.get(1).getAsInt());
                data.setWriteQueueNums(row.get(2).getAsInt());
                data.setPerm(row.get(3).getAsInt());
                route.getQueueDatas().add(data);
                if (!row.get(4).isJsonNull()) {
                    HashMap<Long, String> addresses = new HashMap<>();
                    row.get(4).getAsJsonArray().forEach(id -> addresses.put(id.getAsLong(),
                        "10.0." + id.getAsLong() + "." + row.get(0).getAsInt() + ":10911"));
                    route.getBrokerDatas().add(new BrokerData("cluster", data.getBrokerName(), addresses));
                }
            }
            return route;
        }

        JsonArray list(TopicPublishInfo info) {
            JsonArray flat = new JsonArray();
            for (MessageQueue queue : info.getMessageQueueList()) {
                flat.add(names.indexOf(queue.getBrokerName()));
                flat.add(queue.getQueueId());
            }
            return flat;
        }

        /** The fault table if it differs from the last one, or null. */
        JsonArray changed(Object tolerance) throws Exception {
            JsonArray table = new JsonArray();
            for (Object item : ((Map<?, ?>) Reflection.field(tolerance.getClass(), "faultItemTable").get(tolerance)).values()) {
                JsonArray row = new JsonArray();
                row.add(names.indexOf((String) Reflection.field(item.getClass(), "name").get(item)));
                row.add((Long) Reflection.field(item.getClass(), "currentLatency").get(item));
                row.add(since((Long) Reflection.field(item.getClass(), "startTimestamp").get(item)));
                row.add((Boolean) Reflection.field(item.getClass(), "reachableFlag").get(item) ? 1 : 0);
                row.add(since((Long) Reflection.field(item.getClass(), "checkStamp").get(item)));
                table.add(row);
            }
            boolean same = table.equals(known);
            known = table;
            return same ? null : table;
        }

        private JsonElement since(long moment) {
            return moment == 0 ? JsonNull.INSTANCE : new JsonPrimitive(moment - start);
        }
    }

    /** Random numbers as they were drawn: the first value of a counter, and those of resetIndex. */
    private static final class Draws extends Random {
        private final int first;
        private final Deque<Integer> resets;
        private Integer drawn;

        Draws(int first, Deque<Integer> resets) {
            this.first = first;
            this.resets = resets;
        }

        @Override
        public int nextInt() {
            return first;
        }

        @Override
        public int nextInt(int bound) {
            drawn = resets.isEmpty() ? first & bound - 1 : resets.poll();
            return drawn;
        }

        static Draws into(TopicPublishInfo info, int first, Deque<Integer> resets) throws Exception {
            Draws draws = new Draws(first, resets);
            Reflection.field(info.getSendWhichQueue().getClass(), "random").set(info.getSendWhichQueue(), draws);
            return draws;
        }

        /** Adds counter and draw to a selection. */
        void addTo(JsonArray row, TopicPublishInfo info) throws Exception {
            Object counter = info.getSendWhichQueue();
            row.add((Integer) ((ThreadLocal<?>) Reflection.field(counter.getClass(), "threadLocalIndex").get(counter)).get());
        }
    }

    /** A sequence of selections, updates and rounds of the detector. */
    private static final class Selecting extends Asking {
        private final MQFaultStrategy strategy;
        private final Object tolerance;
        private final TopicPublishInfo[] infos;
        private final Draws[] draws;
        private final Deque<Integer> resets = new ArrayDeque<>();
        private JsonArray answering, unresolvable, probed;

        Selecting(JsonObject asked) throws Exception {
            super(asked);
            ClientConfig config = new ClientConfig();
            config.setDetectInterval(asked.get("di").getAsInt());
            strategy = new MQFaultStrategy(config, name -> has(unresolvable, name) ? null : name, (name, timeout) -> {
                probed.add(names.indexOf(name));
                return has(answering, name);
            });
            set(strategy);
            tolerance = Reflection.field(MQFaultStrategy.class, "latencyFaultTolerance").get(strategy);
            for (JsonElement op : asked.getAsJsonArray("ops")) {
                JsonElement last = op.getAsJsonArray().get(op.getAsJsonArray().size() - 1);
                if (last.isJsonObject() && last.getAsJsonObject().has("rs")) {
                    resets.add(last.getAsJsonObject().get("rs").getAsInt());
                }
            }
            JsonArray topics = asked.getAsJsonArray("topics");
            infos = new TopicPublishInfo[topics.size()];
            draws = new Draws[topics.size()];
            for (int topic = 0; topic < topics.size(); topic++) {
                make(topic, topics.get(topic).getAsJsonObject());
            }
        }

        private boolean has(JsonArray brokers, String name) {
            return brokers.contains(new JsonPrimitive(names.indexOf(name)));
        }

        private void make(int topic, JsonObject of) throws Exception {
            TopicRouteData route = route(of.getAsJsonArray("qd"), of.get("oc"));
            infos[topic] = MQClientInstance.topicRouteData2TopicPublishInfo("topic-" + topic, route);
            draws[topic] = Draws.into(infos[topic], of.get("s0").getAsInt(), resets);
            of.add("list", list(infos[topic]));
        }

        JsonObject run() throws Exception {
            JsonArray told = new JsonArray();
            for (JsonElement each : asked.getAsJsonArray("ops")) {
                JsonArray op = each.getAsJsonArray();
                JsonArray row = new JsonArray();
                JsonObject more = new JsonObject();
                row.add(op.get(0));
                switch (op.get(0).getAsString()) {
                    case "s": select(op, row, more); break;
                    case "u":
                        for (int i = 1; i <= 4; i++) {
                            row.add(op.get(i));
                        }
                        strategy.updateFaultItem(names.get(op.get(1).getAsInt()), op.get(2).getAsLong(),
                            op.get(3).getAsInt() == 1, op.get(4).getAsInt() == 1);
                        break;
                    case "a":
                        row.add(op.get(1));
                        Clock.now += op.get(1).getAsLong();
                        break;
                    case "d":
                        answering = op.get(1).getAsJsonArray();
                        unresolvable = op.get(2).getAsJsonArray();
                        probed = new JsonArray();
                        ((LatencyFaultTolerance<?>) tolerance).detectByOneRound();
                        row.add(answering);
                        row.add(unresolvable);
                        row.add(probed);
                        break;
                    default:
                        row.add(op.get(1));
                        make(op.get(1).getAsInt(), op.get(2).getAsJsonObject());
                        row.add(op.get(2));
                }
                JsonArray table = changed(tolerance);
                if (table != null) {
                    more.add("f", table);
                }
                if (more.size() > 0) {
                    row.add(more);
                }
                told.add(row);
            }
            return with("ops", told);
        }

        private void select(JsonArray op, JsonArray row, JsonObject more) throws Exception {
            int topic = op.get(1).getAsInt();
            for (int i = 1; i <= 3; i++) {
                row.add(op.get(i));
            }
            draws[topic].drawn = null;
            String last = op.get(2).isJsonNull() ? null : names.get(op.get(2).getAsInt());
            MessageQueue queue = strategy.selectOneMessageQueue(infos[topic], last, op.get(3).getAsInt() == 1);
            row.add(names.indexOf(queue.getBrokerName()));
            row.add(queue.getQueueId());
            draws[topic].addTo(row, infos[topic]);
            if (draws[topic].drawn != null) {
                more.addProperty("rs", draws[topic].drawn);
            }
        }
    }

    /** Messages of one producer; the connections are a script, and time passes where it says so. */
    private static final class Sending extends Asking {
        private final boolean async;
        private final DefaultMQProducer producer;
        private final MQClientInstance instance;
        private final Object tolerance;
        private final Deque<Integer> firsts = new ArrayDeque<>();
        private final Deque<Integer> resets = new ArrayDeque<>();
        private final Map<TopicPublishInfo, Draws> seen = new IdentityHashMap<>();
        private final long[] due = {TASKS[0][0], TASKS[1][0], TASKS[2][0]};
        private JsonArray selects, attempts, updates, results, lists;
        private long begun;
        private Runnable pending;
        private long pendingAt;

        Sending(JsonObject asked, boolean async) throws Exception {
            super(asked);
            this.async = async;
            for (JsonElement each : asked.getAsJsonArray("msgs")) {
                remember(each.getAsJsonArray());
            }
            producer = new DefaultMQProducer("group");
            producer.setNamesrvAddr("127.0.0.1:1");
            producer.setInstanceName(asked.get("id").getAsString() + async);
            producer.setSendMsgTimeout(asked.get("to").getAsInt());
            producer.setRetryTimesWhenSendFailed(asked.get("rt").getAsInt());
            producer.setRetryTimesWhenSendAsyncFailed(asked.get("rt").getAsInt());
            producer.setRetryAnotherBrokerWhenNotStoreOK(is("ns"));
            if (!asked.get("mp").isJsonNull()) {
                for (Method setter : DefaultMQProducer.class.getMethods()) {
                    if (setter.getName().equals("setSendMsgMaxTimeoutPerRequest")) {
                        setter.invoke(producer, asked.get("mp").getAsInt());
                    }
                }
            }
            DefaultMQProducerImpl impl = producer.getDefaultMQProducerImpl();
            instance = MQClientManager.getInstance().getOrCreateMQClientInstance(producer, null);
            Reflection.field(DefaultMQProducerImpl.class, "mQClientFactory").set(impl, instance);
            Field state = Reflection.field(DefaultMQProducerImpl.class, "serviceState");
            state.set(impl, Enum.valueOf(state.getType().asSubclass(Enum.class), "RUNNING"));
            impl.setAsyncSenderExecutor(new DirectExecutor());
            instance.registerProducer("group", impl);
            Object api = instance.getMQClientAPIImpl();
            Reflection.field(api.getClass(), "remotingClient").set(api, Proxy.newProxyInstance(RecorderCases.class.getClassLoader(),
                new Class<?>[] {RemotingClient.class}, (proxy, called, with) -> invoke(called.getName(), with)));
            Field strategy = Reflection.field(DefaultMQProducerImpl.class, "mqFaultStrategy");
            tolerance = Reflection.field(MQFaultStrategy.class, "latencyFaultTolerance").get(strategy.get(impl));
            Noting noting = new Noting();
            set(noting);
            noting.setStartDetectorEnable(is("det"));
            strategy.set(impl, noting);
        }

        private void remember(JsonArray message) {
            for (JsonElement each : message.get(2).getAsJsonArray()) {
                if (each.getAsJsonArray().size() > 3) {
                    resets.add(each.getAsJsonArray().get(3).getAsInt());
                }
            }
            if (message.size() > 7 && message.get(7).getAsJsonObject().has("n")) {
                message.get(7).getAsJsonObject().getAsJsonArray("n").forEach(each -> firsts.add(each.getAsJsonArray().get(1).getAsInt()));
            }
        }

        /** The client's strategy, which notes what it is asked. */
        private final class Noting extends MQFaultStrategy {
            Noting() throws Exception {
                super(new ClientConfig(), null, null);
                Reflection.field(MQFaultStrategy.class, "latencyFaultTolerance").set(this, tolerance);
            }

            @Override
            public MessageQueue selectOneMessageQueue(TopicPublishInfo info, String last, boolean reset) {
                try {
                    Draws draws = seen.get(info);
                    if (draws == null) {
                        draws = Draws.into(info, firsts.isEmpty() ? 0 : firsts.poll(), resets);
                        seen.put(info, draws);
                        JsonArray entry = new JsonArray();
                        entry.add(Integer.valueOf(info.getMessageQueueList().get(0).getTopic().substring(6)));
                        entry.add(draws.first);
                        entry.add(list(info));
                        lists.add(entry);
                    }
                    draws.drawn = null;
                    MessageQueue queue = super.selectOneMessageQueue(info, last, reset);
                    JsonArray row = new JsonArray();
                    row.add(names.indexOf(queue.getBrokerName()));
                    row.add(queue.getQueueId());
                    draws.addTo(row, info);
                    if (draws.drawn != null) {
                        row.add(draws.drawn);
                    }
                    selects.add(row);
                    return queue;
                } catch (Exception e) {
                    throw new IllegalStateException(e);
                }
            }

            @Override
            public void updateFaultItem(String name, long latency, boolean isolation, boolean reachable) {
                JsonArray row = new JsonArray();
                row.add(names.indexOf(name));
                row.add(latency);
                row.add(isolation ? 1 : 0);
                row.add(reachable ? 1 : 0);
                updates.add(row);
                super.updateFaultItem(name, latency, isolation, reachable);
            }
        }

        // ---- time

        /** Goes to a moment, ms from t0; the client's timers that are due until then run at their time. */
        private void goTo(long moment) throws Exception {
            while (true) {
                int next = 0;
                for (int task = 1; task < due.length; task++) {
                    next = due[task] < due[next] ? task : next;
                }
                if (due[next] > moment) {
                    Clock.now = Math.max(Clock.now, start + moment);
                    return;
                }
                Clock.now = start + due[next];
                due[next] += TASKS[next][1];
                if (next == 0) {
                    instance.updateTopicRouteInfoFromNameServer();
                } else if (next == 1) {
                    Reflection.method(MQClientInstance.class, "cleanOfflineBroker").invoke(instance);
                    instance.sendHeartbeatToAllBrokerWithLock();
                } else if (is("det")) {
                    ((LatencyFaultToleranceImpl) tolerance).detectByOneRound();
                }
            }
        }

        private long now() {
            return Clock.now - start;
        }

        // ---- the script in the place of connections

        private Object invoke(String called, Object[] with) throws Exception {
            if (called.equals("getNameServerAddressList")) {
                return Collections.singletonList("127.0.0.1:1");
            }
            if (!called.equals("invokeSync") && !called.equals("invokeAsync")) {
                return null;
            }
            RemotingCommand request = (RemotingCommand) with[1];
            if (request.getCode() == ROUTE) {
                return routeOf((String) Reflection.value(request.readCustomHeader(), "topic"));
            }
            if (request.getCode() == HEARTBEAT) {
                return RemotingCommand.createResponseCommand(0, null);
            }
            int broker = Integer.parseInt(((String) with[0]).split(":")[0].split("\\.")[3]);
            if (request.getCode() == MAX_OFFSET) {
                return probe(broker);
            }
            Object header = request.readCustomHeader();
            int queue = (Integer) Reflection.value(header, header.getClass().getSimpleName().endsWith("V2") ? "e" : "queueId");
            if (called.equals("invokeSync")) {
                return sync(broker, queue, (Long) with[2]);
            }
            async(broker, queue, (Long) with[2], (InvokeCallback) with[3]);
            return null;
        }

        private RemotingCommand routeOf(String topic) {
            JsonElement found = asked.get("tbw");
            if (topic.startsWith("topic-")) {
                for (JsonElement each : asked.getAsJsonArray("routes").get(Integer.parseInt(topic.substring(6))).getAsJsonArray()) {
                    if (each.getAsJsonArray().get(0).getAsLong() <= now()) {
                        found = each.getAsJsonArray().get(1);
                    }
                }
            }
            if (found.isJsonNull()) {
                return RemotingCommand.createResponseCommand(NO_TOPIC, null);
            }
            RemotingCommand response = RemotingCommand.createResponseCommand(0, null);
            response.setBody(route(found.getAsJsonArray(), JsonNull.INSTANCE).encode());
            return response;
        }

        private long[] entry(int broker) {
            long[] found = null;
            for (JsonElement each : asked.getAsJsonArray("script").get(broker).getAsJsonArray()) {
                JsonArray row = each.getAsJsonArray();
                if (row.get(0).getAsLong() <= now()) {
                    found = new long[] {row.get(1).getAsLong(), row.get(2).getAsLong(), row.get(3).getAsLong()};
                }
            }
            return found;
        }

        /** How long an answer takes, connecting not included; negative for never. */
        private long answers(long[] entry, int broker) {
            if (entry[0] == ANSWERS) {
                return entry[1] + (now() / 10 * 7919 + broker * 104729L) % (entry[2] + 1);
            }
            return entry[0] == SENDS_CODE || entry[0] == SENDS_STATUS || entry[0] == CONNECTS ? entry[2] : -1;
        }

        private RemotingCommand probe(int broker) throws Exception {
            long[] entry = entry(broker);
            long after = answers(entry, broker) + (entry[0] == CONNECTS ? entry[1] : 0);
            boolean is = entry[0] == SENDS_CODE || entry[0] == SENDS_STATUS
                || (entry[0] == ANSWERS || entry[0] == CONNECTS) && after < DETECT_TIMEOUT;
            if (!is) {
                throw new RemotingTimeoutException("scripted");
            }
            RemotingCommand response = RemotingCommand.createResponseCommand(0, null);
            response.addExtField("offset", "0");
            return response;
        }

        private RemotingCommand response(long[] entry, int queue) {
            int code = entry[0] == SENDS_CODE || entry[0] == SENDS_STATUS ? (int) entry[1] : 0;
            RemotingCommand response = RemotingCommand.createResponseCommand(code, "scripted");
            response.addExtField("msgId", "0");
            response.addExtField("queueId", String.valueOf(queue));
            response.addExtField("queueOffset", "0");
            return response;
        }

        private static String outcome(long[] entry) {
            return entry[0] == SENDS_CODE ? "e" + entry[1] : entry[0] == SENDS_STATUS ? "st" + entry[1] : "ok";
        }

        private JsonArray attempt(int broker, int queue, long timeout) {
            JsonArray row = new JsonArray();
            row.add(broker);
            row.add(queue);
            row.add(now() - begun);
            row.add(JsonNull.INSTANCE);
            row.add(timeout);
            attempts.add(row);
            return row;
        }

        private void ended(JsonArray row, String outcome) {
            row.set(3, new JsonPrimitive(now() - begun));
            row.add(outcome);
        }

        private RemotingCommand sync(int broker, int queue, long timeout) throws Exception {
            long[] entry = entry(broker);
            JsonArray row = attempt(broker, queue, timeout);
            long answer = answers(entry, broker);
            if (entry[0] == REFUSES || entry[0] == FAILS) {
                goTo(now() + entry[1]);
                ended(row, entry[0] == REFUSES ? "rc" : "sf");
                throw entry[0] == REFUSES ? new RemotingConnectException("scripted") : new RemotingSendRequestException("scripted");
            }
            long left = timeout;
            if (entry[0] == CONNECTS) {
                goTo(now() + entry[1]);
                left -= entry[1];
            }
            if (left <= 0 || answer < 0 || answer >= left) {
                goTo(now() + (left <= 0 ? 0 : left + asked.get("ov").getAsLong()));
                ended(row, "to");
                throw new RemotingTimeoutException("scripted");
            }
            goTo(now() + answer);
            ended(row, outcome(entry));
            return response(entry, queue);
        }

        private void async(int broker, int queue, long timeout, InvokeCallback callback) {
            long[] entry = entry(broker);
            JsonArray row = attempt(broker, queue, timeout);
            long connect = entry[0] == CONNECTS && timeout >= 0 ? Math.min(entry[1], ASYNC_CONNECT_MAX) : 0;
            long answer = answers(entry, broker);
            RemotingException failure = null;
            String outcome = outcome(entry);
            long after = connect + answer;
            if (entry[0] == REFUSES || entry[0] == FAILS) {
                failure = entry[0] == REFUSES ? new RemotingConnectException("scripted") : new RemotingSendRequestException("scripted");
                outcome = entry[0] == REFUSES ? "rc" : "sf";
                after = entry[1];
            } else if (timeout < connect) {
                failure = new RemotingTooMuchRequestException("scripted");
                outcome = "tm";
                after = connect;
            } else if (answer < 0 || after >= timeout + SCAN_GRACE) {
                failure = new RemotingTimeoutException("scripted");
                outcome = "to";
                after = timeout + SCAN_GRACE;
            }
            Throwable thrown = failure;
            String how = outcome;
            pendingAt = now() + after;
            pending = () -> {
                ended(row, how);
                if (thrown == null) {
                    callback.operationSucceed(response(entry, queue));
                } else {
                    callback.operationFail(thrown);
                }
            };
        }

        // ---- messages

        JsonObject run() throws Exception {
            JsonArray told = new JsonArray();
            for (JsonElement each : asked.getAsJsonArray("msgs")) {
                told.add(send(each.getAsJsonArray()));
            }
            return with("msgs", told);
        }

        private JsonArray send(JsonArray message) throws Exception {
            goTo(message.get(0).getAsLong());
            begun = now();
            selects = new JsonArray();
            attempts = new JsonArray();
            updates = new JsonArray();
            results = new JsonArray();
            lists = new JsonArray();
            Message body = new Message("topic-" + message.get(1).getAsInt(), new byte[8]);
            try {
                if (async) {
                    producer.send(body, new Callback());
                    while (pending != null) {
                        Runnable next = pending;
                        pending = null;
                        goTo(pendingAt);
                        next.run();
                    }
                } else {
                    results = stored(producer.send(body));
                }
            } catch (Exception e) {
                results = async ? one("throw", thrown(e)) : thrown(e);
            }
            JsonArray row = new JsonArray();
            row.add(begun);
            row.add(message.get(1));
            row.add(selects);
            row.add(attempts);
            row.add(updates);
            row.add(results);
            row.add(now() - begun);
            JsonObject more = new JsonObject();
            JsonArray table = changed(tolerance);
            if (table != null) {
                more.add("f", table);
            }
            if (lists.size() > 0) {
                more.add("n", lists);
            }
            if (more.size() > 0) {
                row.add(more);
            }
            return row;
        }

        private JsonArray stored(SendResult result) {
            JsonArray row = new JsonArray();
            row.add(result.getSendStatus().name());
            row.add(names.indexOf(result.getMessageQueue().getBrokerName()));
            row.add(result.getMessageQueue().getQueueId());
            return row;
        }

        private static JsonArray thrown(Throwable e) {
            JsonArray row = new JsonArray();
            row.add(e.getClass().getSimpleName());
            row.add(e instanceof MQBrokerException ? new JsonPrimitive(((MQBrokerException) e).getResponseCode())
                : e instanceof MQClientException ? new JsonPrimitive(((MQClientException) e).getResponseCode()) : JsonNull.INSTANCE);
            return row;
        }

        private static JsonArray one(String how, JsonArray what) {
            JsonArray row = new JsonArray();
            row.add(how);
            row.addAll(what);
            JsonArray rows = new JsonArray();
            rows.add(row);
            return rows;
        }

        private final class Callback implements SendCallback {
            @Override
            public void onSuccess(SendResult result) {
                results.addAll(one("ok", stored(result)));
            }

            @Override
            public void onException(Throwable e) {
                results.addAll(one("ex", thrown(e)));
            }
        }
    }
}
