import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.apache.rocketmq.common.message.Message;
import org.apache.rocketmq.common.message.MessageDecoder;
import org.apache.rocketmq.common.message.MessageExt;
import org.apache.rocketmq.common.message.MessageExtBrokerInner;
import org.apache.rocketmq.store.AppendMessageResult;
import org.apache.rocketmq.store.AppendMessageStatus;
import org.apache.rocketmq.store.GetMessageResult;
import org.apache.rocketmq.store.GetMessageStatus;
import org.apache.rocketmq.store.MessageStore;
import org.apache.rocketmq.store.PutMessageResult;
import org.apache.rocketmq.store.PutMessageStatus;
import org.apache.rocketmq.store.SelectMappedBufferResult;

/** A message store of a few queues in memory, which notes what is read from it and what is put into it. */
final class RecorderPopStore implements InvocationHandler {
    static final InetSocketAddress HOST = new InetSocketAddress("127.0.0.1", 10911);

    /** A message in a queue: from `seen` on it can be read. */
    static final class Stored {
        final MessageExt message;
        final long seen;

        Stored(MessageExt message, long seen) {
            this.message = message;
            this.seen = seen;
        }
    }

    final Map<String, List<Stored>> queues = new TreeMap<>();
    final Map<String, Long> starts = new TreeMap<>();
    final List<Object[]> reads = new ArrayList<>();
    final List<MessageExtBrokerInner> puts = new ArrayList<>();
    boolean inMemory = true;
    boolean refuses = false;
    Object timer;

    MessageStore store() {
        return (MessageStore) Proxy.newProxyInstance(MessageStore.class.getClassLoader(), new Class<?>[] {MessageStore.class}, this);
    }

    void fill(String topic, int queue, long first, int count) {
        starts.put(topic + "@" + queue, first);
        List<Stored> list = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            list.add(new Stored(message(topic, queue, first + i, null, (queue + "/" + (first + i)).getBytes()), 0));
        }
        queues.put(topic + "@" + queue, list);
    }

    static MessageExt message(String topic, int queue, long offset, String tags, byte[] body) {
        MessageExt made = new MessageExt();
        made.setTopic(topic);
        made.setQueueId(queue);
        made.setQueueOffset(offset);
        made.setBody(body);
        made.setBornHost(HOST);
        made.setStoreHost(HOST);
        made.setBornTimestamp(1);
        made.setStoreTimestamp(1);
        made.putUserProperty("some", "property");  // a popped retry without any would be lost
        if (tags != null) {
            made.setTags(tags);
        }
        return made;
    }

    static JsonObject json(Message message) {
        return JsonParser.parseString(new String(message.getBody(), StandardCharsets.UTF_8)).getAsJsonObject();
    }

    private long first(String key) {
        return starts.getOrDefault(key, 0L);
    }

    private long next(String key) {
        long end = first(key);
        for (Stored each : queues.getOrDefault(key, new ArrayList<>())) {
            if (each.seen > Clock.now) {
                break;
            }
            end++;
        }
        return end;
    }

    private GetMessageResult get(String topic, int queue, long offset, int most) throws Exception {
        String key = topic + "@" + queue;
        GetMessageResult result = new GetMessageResult(Math.max(1, most));
        long begin = first(key);
        long end = next(key);
        result.setMinOffset(begin);
        result.setMaxOffset(end);
        if (!queues.containsKey(key) || end == begin) {
            result.setStatus(queues.containsKey(key) ? GetMessageStatus.NO_MESSAGE_IN_QUEUE : GetMessageStatus.NO_MATCHED_LOGIC_QUEUE);
            result.setNextBeginOffset(0);
        } else if (offset < begin) {
            result.setStatus(GetMessageStatus.OFFSET_TOO_SMALL);
            result.setNextBeginOffset(begin);
        } else if (offset >= end) {
            result.setStatus(offset == end ? GetMessageStatus.OFFSET_OVERFLOW_ONE : GetMessageStatus.OFFSET_OVERFLOW_BADLY);
            result.setNextBeginOffset(end);
        } else {
            long until = Math.min(end, offset + most);
            for (long at = offset; at < until; at++) {
                MessageExt message = queues.get(key).get((int) (at - begin)).message;
                ByteBuffer bytes = ByteBuffer.wrap(MessageDecoder.encode(message, false));
                result.addMessage(new SelectMappedBufferResult(0, bytes, bytes.remaining(), null), at, 1);
            }
            result.setStatus(GetMessageStatus.FOUND);
            result.setNextBeginOffset(until);
        }
        return result;
    }

    private PutMessageResult put(MessageExtBrokerInner message) {
        if (refuses && message.getTopic().startsWith("%RETRY%")) {
            return new PutMessageResult(PutMessageStatus.SERVICE_NOT_AVAILABLE, null);
        }
        AppendMessageResult appended = new AppendMessageResult(AppendMessageStatus.PUT_OK);
        appended.setLogicsOffset(puts.size());
        puts.add(message);
        return new PutMessageResult(PutMessageStatus.PUT_OK, appended);
    }

    @Override
    public Object invoke(Object proxy, Method method, Object[] args) throws Throwable {
        switch (method.getName()) {
            case "getMessage":
            case "getMessageAsync":
                GetMessageResult found = get((String) args[1], (int) args[2], (long) args[3], (int) args[4]);
                reads.add(new Object[] {args[1], args[2], args[3], args[4], found.getMessageCount()});
                return method.getName().equals("getMessage") ? found : CompletableFuture.completedFuture(found);
            case "putMessage":
                return put((MessageExtBrokerInner) args[0]);
            case "asyncPutMessage":
                return CompletableFuture.completedFuture(put((MessageExtBrokerInner) args[0]));
            case "getMaxOffsetInQueue":
                return next(args[0] + "@" + args[1]);
            case "getMinOffsetInQueue":
                return first(args[0] + "@" + args[1]);
            case "checkInMemByConsumeOffset":
                return inMemory;
            case "now":
                return Clock.now;
            case "getTimerMessageStore":
                return timer;
            case "getMessageStoreConfig":
                return RecorderPop.storeConfig;
            case "toString":
                return "store";
            case "hashCode":
                return 1;
            case "equals":
                return proxy == args[0];
            default:
                Class<?> type = method.getReturnType();
                return type == boolean.class ? false : type == int.class ? 0 : type == long.class ? (Object) 0L : null;
        }
    }
}
