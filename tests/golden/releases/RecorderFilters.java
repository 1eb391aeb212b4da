import java.io.BufferedReader;
import java.io.FileInputStream;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.net.URLDecoder;
import java.lang.reflect.Constructor;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import org.apache.rocketmq.broker.filter.ConsumerFilterData;
import org.apache.rocketmq.broker.filter.ConsumerFilterManager;
import org.apache.rocketmq.broker.filter.ExpressionMessageFilter;
import org.apache.rocketmq.broker.filter.MessageEvaluationContext;
import org.apache.rocketmq.filter.FilterFactory;
import org.apache.rocketmq.filter.expression.Expression;
import org.apache.rocketmq.store.MessageFilter;

/**
 * Asks a broker's filter what it makes of SQL92 expressions: `RecorderFilters RELEASE QUESTIONS`.
 * A line of QUESTIONS is an expression and sets of properties, URL-encoded, with tabs between.
 */
public final class RecorderFilters {
    private RecorderFilters() {
    }

    public static void main(String[] args) throws Exception {
        PrintStream out = new PrintStream(System.out, true, "UTF-8");
        System.setOut(System.err);
        ConsumerFilterManager manager = new ConsumerFilterManager();
        int number = 0;
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(
                new FileInputStream(args[1]), StandardCharsets.UTF_8))) {
            for (String line; (line = lines.readLine()) != null; number++) {
                String[] parts = line.split("\t", -1);
                out.println(ask(manager, args[0] + "/" + number, decoded(parts[0]), parts));
            }
        }
        Runtime.getRuntime().halt(0);
    }

    private static String ask(ConsumerFilterManager manager, String id, String sql, String[] sets) throws Exception {
        StringBuilder told = new StringBuilder("{\"id\": " + quoted(id) + ", \"expr\": " + quoted(sql));
        Expression compiled;
        try {
            compiled = FilterFactory.INSTANCE.get("SQL92").compile(sql);
        } catch (Throwable refused) {
            return told + ", \"error\": " + quoted(refused.getMessage()) + "}";
        }
        MessageFilter filter = filterOf(sql, manager);
        told.append(", \"tree\": " + quoted(compiled.toString()) + ", \"match\": [");
        for (int i = 1; i < sets.length; i++) {
            Map<String, String> properties = new HashMap<>();
            StringBuilder shown = new StringBuilder();
            for (String pair : sets[i].isEmpty() ? new String[0] : sets[i].split("&")) {
                String[] own = pair.split("=", -1);
                properties.put(decoded(own[0]), decoded(own[1]));
                shown.append(shown.length() > 0 ? ", " : "").append(quoted(decoded(own[0])) + ": " + quoted(decoded(own[1])));
            }
            told.append((i > 1 ? ", " : "") + "[{" + shown + "}, " + quoted(value(compiled, properties)) + ", "
                + (filter.isMatchedByCommitLog(null, properties) ? 1 : 0) + "]");
        }
        return told + "]}";
    }

    private static MessageFilter filterOf(String sql, ConsumerFilterManager manager) throws ReflectiveOperationException {
        Constructor<?> build = ExpressionMessageFilter.class.getConstructors()[0];
        Class<?> kind = build.getParameterTypes()[0]; // SubscriptionData, which 5.0.0 moved
        Object subscription = kind.getConstructor(String.class, String.class).newInstance("orders", sql);
        kind.getMethod("setExpressionType", String.class).invoke(subscription, "SQL92");
        ConsumerFilterData data = ConsumerFilterManager.build("orders", "billing", sql, "SQL92", 1);
        return (MessageFilter) build.newInstance(subscription, data, manager);
    }

    private static String value(Expression compiled, Map<String, String> properties) {
        try {
            return String.valueOf(compiled.evaluate(new MessageEvaluationContext(properties)));
        } catch (Throwable thrown) {
            return thrown.getClass().getName();
        }
    }

    private static String decoded(String text) {
        try {
            return URLDecoder.decode(text, "UTF-8");
        } catch (java.io.UnsupportedEncodingException never) {
            throw new IllegalStateException(never);
        }
    }

    private static String quoted(String text) {
        StringBuilder found = new StringBuilder("\"");
        for (char each : text.toCharArray()) {
            if (each == '"' || each == '\\') {
                found.append('\\').append(each);
            } else if (each < 0x20 || each > 0x7e) {
                found.append(String.format("\\u%04x", (int) each));
            } else {
                found.append(each);
            }
        }
        return found.append('"').toString();
    }
}
