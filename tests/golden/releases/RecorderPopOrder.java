import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** Order of POP: what blocks a queue, what an ack commits, how often a message was delivered. */
final class RecorderPopOrder {
    private RecorderPopOrder() {
    }

    /** "flag offset... count" entries as [offset or null, count], in the order of offsets. */
    private static List<Object> counts(String text) {
        List<List<Object>> found = new ArrayList<>();
        for (String each : text.split(";")) {
            if (!each.isEmpty()) {
                String[] parts = each.split(" ");
                String key = parts[1];
                Object offset = key.contains("%") ? Long.valueOf(key.substring(key.indexOf('%') + 1)) : null;
                found.add(Arrays.asList(offset, Integer.valueOf(parts[2])));
            }
        }
        Collections.sort(found, (a, b) -> Long.compare(a.get(0) == null ? -1 : (Long) a.get(0), b.get(0) == null ? -1 : (Long) b.get(0)));
        return new ArrayList<>(found);
    }

    static void record() throws Exception {
        Class<?> type = RecorderPop.either("org.apache.rocketmq.broker.pop.orderly.QueueLevelConsumerManager",
            "org.apache.rocketmq.broker.offset.ConsumerOrderInfoManager");
        Random random = new Random(12);
        for (int number = 0; number < 120; number++) {
            Object manager = type.getConstructor().newInstance();
            List<Object> ops = new ArrayList<>();
            long start = Clock.now;
            List<Long> last = new ArrayList<>();
            long popped = start;
            long next = random.nextInt(3) * 5L;
            for (int i = 0; i < 24; i++) {
                Clock.now += random.nextInt(4) == 0 ? random.nextInt(9000) : random.nextInt(400);
                long at = Clock.now - start;
                int what = i == 0 && random.nextInt(4) > 0 ? 0 : random.nextInt(8);
                String attempt = random.nextInt(3) == 0 ? null : "try-" + random.nextInt(3);
                long offset = last.isEmpty() || random.nextInt(8) == 0 ? random.nextInt(20) : last.get(random.nextInt(last.size()));
                long popTime = random.nextInt(7) == 0 ? popped - 1 : popped;
                long invisible = 1000 + random.nextInt(5) * 1000L;
                List<Object> op = new ArrayList<>();
                if (what < 2) {
                    boolean again = random.nextInt(3) == 0;
                    List<Long> offsets = again ? new ArrayList<>(last) : new ArrayList<>();
                    long from = last.isEmpty() || random.nextInt(3) > 0 ? next : last.get(0);
                    for (int k = 0, count = 1 + random.nextInt(4); offsets.isEmpty() || !again && k < count; k++) {
                        offsets.add(from++);
                        from += random.nextInt(5) == 0 ? 2 : 0;
                    }
                    next = offsets.get(offsets.size() - 1) + 1;
                    last = offsets;
                    popped = Clock.now;
                    op.addAll(Arrays.asList("p", at, attempt, popped - start, invisible, new ArrayList<>(offsets)));
                    op.add(update(manager, attempt, invisible, offsets));
                } else if (what < 4) {
                    Object blocked = RecorderPop.since("5.1.4")
                        ? RecorderPop.call(manager, "checkBlock", attempt, RecorderPop.TOPIC, RecorderPop.GROUP, 0, invisible)
                        : RecorderPop.call(manager, "checkBlock", RecorderPop.TOPIC, RecorderPop.GROUP, 0, invisible);
                    op.addAll(Arrays.asList("b", at, attempt, invisible, (Boolean) blocked ? 1 : 0));
                } else if (what < 7) {
                    Object committed = RecorderPop.since("5.1.0")
                        ? RecorderPop.call(manager, "commitAndNext", RecorderPop.TOPIC, RecorderPop.GROUP, 0, offset, popTime)
                        : RecorderPop.call(manager, "commitAndNext", RecorderPop.TOPIC, RecorderPop.GROUP, 0, offset);
                    op.addAll(Arrays.asList("a", at, offset, popTime - start, committed));
                } else {
                    long visible = Clock.now + invisible;
                    if (RecorderPop.since("5.1.0")) {
                        RecorderPop.call(manager, "updateNextVisibleTime", RecorderPop.TOPIC, RecorderPop.GROUP, 0, offset, popTime, visible);
                    }
                    op.addAll(Arrays.asList("v", at, offset, popTime - start, visible - start));
                }
                ops.add(op);
            }
            Map<String, Object> row = new LinkedHashMap<>();
            row.put("ops", ops);
            RecorderPop.write("order", number, row);
        }
    }

    private static Object update(Object manager, String attempt, long invisible, List<Long> offsets) throws Exception {
        if (!RecorderPop.since("5.1.0")) {
            return RecorderPop.call(manager, "update", RecorderPop.TOPIC, RecorderPop.GROUP, 0, offsets);
        }
        StringBuilder text = new StringBuilder();
        if (RecorderPop.since("5.1.4")) {
            RecorderPop.call(manager, "update", attempt, false, RecorderPop.TOPIC, RecorderPop.GROUP, 0, Clock.now, invisible, offsets, text);
        } else {
            RecorderPop.call(manager, "update", false, RecorderPop.TOPIC, RecorderPop.GROUP, 0, Clock.now, invisible, offsets, text);
        }
        return counts(text.toString());
    }
}
