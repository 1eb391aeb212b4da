import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.BufferedReader;
import java.io.FileInputStream;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.lang.reflect.Array;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.zip.GZIPInputStream;

/**
 * Reads the first values of the fields of every class that `defaults-5.3.3` names: `RecorderDefaults RELEASE KIND FILE`.
 * What depends on the machine stays as it stands there; a field that the release does not have is left out.
 */
public final class RecorderDefaults {
    private static final Gson GSON = new GsonBuilder().serializeNulls().disableHtmlEscaping().create();
    private static final String PACKAGE = "org.apache.rocketmq.";
    private static final String OF_HOST = "<host-dependent>";

    private RecorderDefaults() {
    }

    public static void main(String[] args) throws Exception {
        PrintStream out = new PrintStream(System.out, true, "UTF-8");
        System.setOut(System.err);
        Map<String, Map<String, JsonObject>> asked = new LinkedHashMap<>();
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(
                new GZIPInputStream(new FileInputStream(args[2])), StandardCharsets.UTF_8))) {
            for (String line; (line = lines.readLine()) != null;) {
                JsonObject row = JsonParser.parseString(line).getAsJsonObject();
                row.addProperty("v", args[0]);
                asked.computeIfAbsent(row.get("class").getAsString(), name -> new LinkedHashMap<>())
                    .put(key(row.get("declared"), row.get("field").getAsString()), row);
            }
        }
        for (Map.Entry<String, Map<String, JsonObject>> each : asked.entrySet()) {
            write(out, args[0], each.getKey(), each.getValue());
        }
        Runtime.getRuntime().halt(0);
    }

    private static String key(JsonElement declared, String field) {
        return (declared == null || declared.isJsonNull() ? "" : declared.getAsString()) + "." + field;
    }

    private static void write(PrintStream out, String release, String name, Map<String, JsonObject> asked) throws Exception {
        Class<?> type = Class.forName(PACKAGE + name);
        if (type.isEnum()) {
            JsonObject row = asked.values().iterator().next();
            row.addProperty("value", Arrays.toString(type.getEnumConstants()));
            out.println(GSON.toJson(row));
            return;
        }
        String how = "static";
        for (JsonObject row : asked.values()) {
            how = row.get("static").getAsInt() == 0 ? row.get("how").getAsString() : how;
        }
        Object made = how.equals("static") ? null : made(type, how);
        for (Class<?> at = type; at != null && at.getName().startsWith(PACKAGE); at = at.getSuperclass()) {
            for (Field field : at.getDeclaredFields()) {
                boolean isStatic = Modifier.isStatic(field.getModifiers());
                if (!isStatic && made == null || isStatic && at != type || field.isSynthetic() || !isPlain(field.getType())) {
                    continue;
                }
                JsonObject row = new JsonObject();
                row.addProperty("v", release);
                row.addProperty("class", name);
                row.addProperty("declared", at == type ? null : at.getName().substring(PACKAGE.length()));
                row.addProperty("field", field.getName());
                row.addProperty("type", field.getType().getSimpleName());
                row.addProperty("static", isStatic ? 1 : 0);
                row.addProperty("how", isStatic ? "static" : how);
                field.setAccessible(true);
                if (field.get(made) == null && !isWritten(field.getType())) {
                    continue;
                }
                JsonObject old = asked.get(key(row.get("declared"), field.getName()));
                boolean isOfProcess = old != null && field.getName().endsWith("PID");
                row.add("value", isOfProcess ? old.get("value") : value(field.get(made), old == null ? null : old.get("value")));
                out.println(GSON.toJson(row));
            }
        }
    }

    private static Object made(Class<?> type, String how) throws Exception {
        int nulls = how.equals("new()") ? 0 : Integer.parseInt(how.replaceAll("\\D", ""));
        for (Constructor<?> found : type.getDeclaredConstructors()) {
            if (found.getParameterCount() == nulls) {
                found.setAccessible(true);
                try {
                    return found.newInstance(nothing(found.getParameterTypes()));
                } catch (IllegalArgumentException | java.lang.reflect.InvocationTargetException e) {
                    // another one of as many arguments
                }
            }
        }
        throw new NoSuchMethodException(type + " " + how);
    }

    private static Object[] nothing(Class<?>[] types) {
        Object[] found = new Object[types.length];
        for (int i = 0; i < types.length; i++) {
            found[i] = types[i].isPrimitive() ? Array.get(Array.newInstance(types[i], 1), 0) : types[i] == String.class ? "G" : null;
        }
        return found;
    }

    private static boolean isPlain(Class<?> type) {
        Class<?> of = type.isArray() ? type.getComponentType() : type;
        return isWritten(of) || of == AtomicLong.class || of == AtomicInteger.class
            || of.getSimpleName().equals("AllocateMessageQueueStrategy") || of.getSimpleName().equals("GroupRetryPolicy");
    }

    private static boolean isWritten(Class<?> type) {
        return type.isPrimitive() || type == String.class || type.isEnum();
    }

    /** Times of the recording, addresses in memory and what depends on the machine stay as they were. */
    private static JsonElement value(Object value, JsonElement old) {
        boolean isOld = old != null && !old.isJsonNull();
        if (isOld && old.isJsonPrimitive() && old.getAsString().equals(OF_HOST)) {
            return old;
        }
        if (isOld && value instanceof String && ((String) value).matches("(19|20)\\d{12}")) {
            return old;
        }
        if (value instanceof Number && !(value instanceof Double) && isOld && ((Number) value).longValue() == Clock.now) {
            return old.getAsLong() > 1_700_000_000_000L ? old : GSON.toJsonTree(value);
        }
        if (value == null || value instanceof String || value instanceof Number || value instanceof Boolean
            || value instanceof Character || value.getClass().isArray()) {
            return GSON.toJsonTree(value);
        }
        if (value instanceof Enum) {
            return GSON.toJsonTree(((Enum<?>) value).name());
        }
        String named = value.getClass().getName() + " " + value;
        return isOld && old.getAsString().startsWith(value.getClass().getName()) ? old : GSON.toJsonTree(named);
    }
}
