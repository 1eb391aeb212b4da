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
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.zip.GZIPInputStream;
import org.apache.rocketmq.broker.client.rebalance.RebalanceLockManager;
import org.apache.rocketmq.client.consumer.AllocateMessageQueueStrategy;
import org.apache.rocketmq.client.consumer.rebalance.AllocateMachineRoomNearby;
import org.apache.rocketmq.client.consumer.rebalance.AllocateMessageQueueAveragely;
import org.apache.rocketmq.client.consumer.rebalance.AllocateMessageQueueAveragelyByCircle;
import org.apache.rocketmq.client.consumer.rebalance.AllocateMessageQueueByConfig;
import org.apache.rocketmq.client.consumer.rebalance.AllocateMessageQueueByMachineRoom;
import org.apache.rocketmq.client.consumer.rebalance.AllocateMessageQueueConsistentHash;
import org.apache.rocketmq.client.impl.consumer.ProcessQueue;
import org.apache.rocketmq.common.consistenthash.HashFunction;
import org.apache.rocketmq.common.message.MessageAccessor;
import org.apache.rocketmq.common.message.MessageConst;
import org.apache.rocketmq.common.message.MessageExt;
import org.apache.rocketmq.common.message.MessageQueue;

/**
 * Asks the classes of the consumer's side again what those of 5.3.3 were asked: `RecorderConsumers RELEASE KIND FILE`.
 * KIND is alloc, processqueue, lock or sort-hash; answers stand where they stood.
 */
public final class RecorderConsumers {
    private static final Gson GSON = new GsonBuilder().serializeNulls().disableHtmlEscaping().create();

    private RecorderConsumers() {
    }

    public static void main(String[] args) throws Exception {
        PrintStream out = new PrintStream(System.out, true, "UTF-8");
        System.setOut(System.err);
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(
                new GZIPInputStream(new FileInputStream(args[2])), StandardCharsets.UTF_8))) {
            for (String line; (line = lines.readLine()) != null;) {
                JsonObject asked = JsonParser.parseString(line).getAsJsonObject();
                if (asked.has("id")) {
                    String id = asked.get("id").getAsString();
                    asked.addProperty("id", args[0] + id.substring(id.indexOf('/')));
                }
                switch (args[1]) {
                    case "alloc": allocate(asked); break;
                    case "processqueue": cache(asked); break;
                    case "lock": lock(asked); break;
                    default: sort(asked);
                }
                out.println(GSON.toJson(asked));
            }
        }
        Runtime.getRuntime().halt(0);
    }

    // ---- allocation

    private static List<MessageQueue> queues(JsonElement rows) {
        if (rows.isJsonNull()) {
            return null;
        }
        List<MessageQueue> found = new ArrayList<>();
        for (JsonElement each : rows.getAsJsonArray()) {
            JsonArray row = each.getAsJsonArray();
            found.add(new MessageQueue(row.get(0).getAsString(), row.get(1).getAsString(), row.get(2).getAsInt()));
        }
        return found;
    }

    private static List<String> texts(JsonElement rows) {
        if (rows.isJsonNull()) {
            return null;
        }
        List<String> found = new ArrayList<>();
        rows.getAsJsonArray().forEach(each -> found.add(each.isJsonNull() ? null : each.getAsString()));
        return found;
    }

    private static AllocateMessageQueueStrategy strategy(JsonObject asked, String name) {
        switch (name) {
            case "AVG": return new AllocateMessageQueueAveragely();
            case "AVG_BY_CIRCLE": return new AllocateMessageQueueAveragelyByCircle();
            case "CONFIG":
                AllocateMessageQueueByConfig config = new AllocateMessageQueueByConfig();
                config.setMessageQueueList(queues(asked.get("conf")));
                return config;
            case "MACHINE_ROOM":
                AllocateMessageQueueByMachineRoom room = new AllocateMessageQueueByMachineRoom();
                room.setConsumeridcs(asked.get("consumeridcs").isJsonNull() ? null : new HashSet<>(texts(asked.get("consumeridcs"))));
                return room;
            default:
                return asked.get("hash").getAsString().equals("md5")
                    ? new AllocateMessageQueueConsistentHash(asked.get("virtualNodeCnt").getAsInt())
                    : new AllocateMessageQueueConsistentHash(asked.get("virtualNodeCnt").getAsInt(), key -> key.hashCode() & 0xFFFFFFFFL);
        }
    }

    private static final class Rooms implements AllocateMachineRoomNearby.MachineRoomResolver {
        private final JsonObject asked;

        Rooms(JsonObject asked) {
            this.asked = asked;
        }

        private String room(String of, String name) {
            JsonElement found = asked.getAsJsonObject(of).get(name);
            return found == null || found.isJsonNull() ? null : found.getAsString();
        }

        @Override
        public String brokerDeployIn(MessageQueue queue) {
            return room("brokerRoom", queue.getBrokerName());
        }

        @Override
        public String consumerDeployIn(String id) {
            return room("consumerRoom", id);
        }
    }

    private static void allocate(JsonObject asked) {
        if (asked.has("stage") && asked.get("stage").getAsString().startsWith("constr")) {
            return;
        }
        String name = asked.get("s").getAsString();
        boolean nearby = name.startsWith("NEARBY");
        AllocateMessageQueueStrategy inner = strategy(asked, nearby ? name.substring("NEARBY-".length()) : name);
        AllocateMessageQueueStrategy strategy = nearby ? new AllocateMachineRoomNearby(inner, new Rooms(asked)) : inner;
        List<MessageQueue> all = queues(asked.get("mq"));
        List<String> ids = texts(asked.get("cids"));
        String cid = text(asked.get("cid"));
        String group = text(asked.get("group"));
        try {
            List<MessageQueue> found = strategy.allocate(group, cid, all, ids);
            asked.remove("ex");
            asked.remove("msg");
            asked.add("r", found == null ? JsonNull.INSTANCE : rows(found));
            if (asked.has("ri")) {
                asked.add("ri", places(found, all));
            }
        } catch (Exception e) {
            asked.remove("r");
            asked.addProperty("ex", e.getClass().getName());
            asked.addProperty("msg", e.getMessage());
        }
        if (asked.has("all") && asked.get("all").isJsonObject()) {
            for (String id : new ArrayList<>(asked.getAsJsonObject("all").keySet())) {
                JsonElement found;
                try {
                    found = places(strategy.allocate(group, id, all, ids), all);
                } catch (Exception e) {
                    found = new JsonPrimitive(e.getClass().getSimpleName());
                }
                asked.getAsJsonObject("all").add(id, found);
            }
        }
    }

    private static JsonArray rows(List<MessageQueue> queues) {
        JsonArray found = new JsonArray();
        for (MessageQueue queue : queues) {
            JsonArray row = new JsonArray();
            row.add(queue.getTopic());
            row.add(queue.getBrokerName());
            row.add(queue.getQueueId());
            found.add(row);
        }
        return found;
    }

    private static JsonArray places(List<MessageQueue> queues, List<MessageQueue> all) {
        JsonArray found = new JsonArray();
        for (MessageQueue queue : queues) {
            int place = 0;
            while (place < all.size() && all.get(place) != queue) {
                place++;
            }
            found.add(place < all.size() ? place : -1);
        }
        return found;
    }

    private static String text(JsonElement of) {
        return of.isJsonNull() ? null : of.getAsString();
    }

    private static void sort(JsonObject asked) throws Exception {
        switch (asked.get("k").getAsString()) {
            case "sort_mq": case "sort_mq_extreme_ids":
                List<MessageQueue> sorted = queues(asked.get("in"));
                Collections.sort(sorted);
                asked.add("out", rows(sorted));
                break;
            case "ring_hash":
                Constructor<?> made = Class.forName("org.apache.rocketmq.common.consistenthash.ConsistentHashRouter$MD5Hash")
                    .getDeclaredConstructor();
                made.setAccessible(true);
                asked.addProperty("hash", ((HashFunction) made.newInstance()).hash(asked.get("key").getAsString()));
                break;
            case "mq_hash_code":
                JsonArray rows = new JsonArray();
                rows.add(asked.get("mq"));
                MessageQueue queue = queues(rows).get(0);
                asked.addProperty("hashCode", queue.hashCode());
                asked.addProperty("toString", queue.toString());
                break;
            default:
                throw new IllegalArgumentException(asked.get("k").getAsString());
        }
    }

    // ---- what is cached

    private static MessageExt message(long offset, int bytes) {
        MessageExt message = new MessageExt();
        message.setQueueOffset(offset);
        message.setBody(new byte[bytes]);
        return message;
    }

    private static List<MessageExt> at(JsonElement offsets) {
        List<MessageExt> found = new ArrayList<>();
        offsets.getAsJsonArray().forEach(offset -> found.add(message(offset.getAsLong(), 0)));
        return found;
    }

    private static void cache(JsonObject asked) throws Exception {
        ProcessQueue queue = new ProcessQueue();
        List<MessageExt> known = new ArrayList<>();
        for (JsonElement each : asked.getAsJsonArray("ops")) {
            JsonArray op = each.getAsJsonArray();
            JsonArray after = new JsonArray();
            try {
                after.add(done(queue, op, known));
            } catch (Exception e) {
                after.add("ex:" + e.getClass().getSimpleName());
            }
            after.add(queue.getMaxSpan());
            after.add(queue.getMsgCount().get());
            after.add(queue.getMsgSize().get());
            Field largest = ProcessQueue.class.getDeclaredField("queueOffsetMax");
            largest.setAccessible(true);
            after.add((Long) largest.get(queue));
            after.add(queue.getMsgAccCnt());
            after.add(queue.hasTempMessage());
            op.set(op.size() - 1, after);
        }
    }

    /** Those of the offsets as they were put, the last ones. */
    private static List<MessageExt> put(JsonElement offsets, List<MessageExt> known) {
        List<MessageExt> found = new ArrayList<>();
        for (JsonElement offset : offsets.getAsJsonArray()) {
            MessageExt last = message(offset.getAsLong(), 0);
            for (MessageExt one : known) {
                last = one.getQueueOffset() == offset.getAsLong() ? one : last;
            }
            found.add(last);
        }
        return found;
    }

    private static JsonElement done(ProcessQueue queue, JsonArray op, List<MessageExt> known) {
        switch (op.get(0).getAsString()) {
            case "put":
                List<MessageExt> messages = new ArrayList<>();
                for (JsonElement each : op.get(1).getAsJsonArray()) {
                    JsonArray row = each.getAsJsonArray();
                    MessageExt message = message(row.get(0).getAsLong(), row.get(1).getAsInt());
                    if (row.size() > 2) {
                        MessageAccessor.putProperty(message, MessageConst.PROPERTY_MAX_OFFSET, row.get(2).getAsString());
                    }
                    messages.add(message);
                }
                known.addAll(messages);
                return new JsonPrimitive(queue.putMessage(messages));
            case "remove":
                return new JsonPrimitive(queue.removeMessage(put(op.get(1), known)));
            case "take":
                JsonArray taken = new JsonArray();
                queue.takeMessages(op.get(1).getAsInt()).forEach(message -> taken.add(message.getQueueOffset()));
                return taken;
            case "commit":
                return new JsonPrimitive(queue.commit());
            default:
                queue.makeMessageToConsumeAgain(put(op.get(1), known));
                return JsonNull.INSTANCE;
        }
    }

    // ---- locks of queues, which expire by the clock

    private static void lock(JsonObject asked) {
        RebalanceLockManager manager = new RebalanceLockManager();
        Clock.now = 1_000_000L;
        for (JsonElement each : asked.getAsJsonArray("ops")) {
            JsonArray op = each.getAsJsonArray();
            switch (op.get(0).getAsString()) {
                case "sleep":
                    Clock.now += op.get(1).getAsLong();
                    break;
                case "lock":
                    boolean got = manager.tryLock(op.get(1).getAsString(), queue(op.get(3).getAsInt()), op.get(2).getAsString());
                    op.set(4, new JsonPrimitive(got ? 1 : 0));
                    break;
                case "lockBatch":
                    JsonArray granted = new JsonArray();
                    manager.tryLockBatch(op.get(1).getAsString(), some(op.get(3)), op.get(2).getAsString()).stream()
                        .map(MessageQueue::getQueueId).sorted().forEach(granted::add);
                    op.set(4, granted);
                    break;
                default:
                    manager.unlockBatch(op.get(1).getAsString(), some(op.get(3)), op.get(2).getAsString());
            }
        }
    }

    private static MessageQueue queue(int id) {
        return new MessageQueue("t", "b", id);
    }

    private static Set<MessageQueue> some(JsonElement ids) {
        Set<MessageQueue> found = new HashSet<>();
        ids.getAsJsonArray().forEach(id -> found.add(queue(id.getAsInt())));
        return found;
    }
}
