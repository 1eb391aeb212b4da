import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.util.Arrays;

/** Fields and methods of any class or its parents, whoever may read or call them. */
public final class Reflection {
    private Reflection() {
    }

    public static Object value(Object of, String name) throws Exception {
        return field(of.getClass(), name).get(of);
    }

    public static Field field(Class<?> type, String name) throws NoSuchFieldException {
        for (Class<?> at = type; at != null; at = at.getSuperclass()) {
            try {
                Field found = at.getDeclaredField(name);
                found.setAccessible(true);
                return found;
            } catch (NoSuchFieldException e) {
                // perhaps its parent has it
            }
        }
        throw new NoSuchFieldException(type + "." + name);
    }

    public static Method method(Class<?> type, String... names) throws NoSuchMethodException {
        for (Class<?> at = type; at != null; at = at.getSuperclass()) {
            for (Method found : at.getDeclaredMethods()) {
                if (Arrays.asList(names).contains(found.getName())) {
                    found.setAccessible(true);
                    return found;
                }
            }
        }
        throw new NoSuchMethodException(type + "." + Arrays.toString(names));
    }
}
