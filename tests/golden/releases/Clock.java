import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.HashMap;
import java.util.Map;

/**
 * A clock that stands still: `Clock CLASSPATH RECORDER ARGUMENT...` runs a recorder with System.currentTimeMillis led here,
 * and Thread.sleep, which moves the clock where the thread `sleeper` sleeps.
 */
public final class Clock {
    public static volatile long now;
    public static volatile Thread sleeper;

    public static long currentTimeMillis() {
        return now;
    }

    public static void sleep(long ms) throws InterruptedException {
        if (Thread.currentThread() == sleeper) {
            now += ms;
        } else {
            Thread.sleep(ms);
        }
    }

    public static void main(String[] args) throws Exception {
        String[] paths = args[0].split(":");
        URL[] urls = new URL[paths.length];
        for (int i = 0; i < paths.length; i++) {
            urls[i] = new java.io.File(paths[i]).toURI().toURL();
        }
        ClassLoader loader = new Loader(urls);
        Thread.currentThread().setContextClassLoader(loader);
        String[] rest = java.util.Arrays.copyOfRange(args, 2, args.length);
        loader.loadClass(args[1]).getMethod("main", String[].class).invoke(null, (Object) rest);
    }

    /** Loads RocketMQ's classes and the recorder itself, with the one method reference changed. */
    private static final class Loader extends URLClassLoader {
        Loader(URL[] urls) {
            super(urls, Clock.class.getClassLoader());
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (!name.startsWith("org.apache.rocketmq.") && !name.startsWith("Recorder")) {
                return super.loadClass(name, resolve);
            }
            synchronized (getClassLoadingLock(name)) {
                Class<?> found = findLoadedClass(name);
                return found != null ? found : findClass(name);
            }
        }

        @Override
        protected Class<?> findClass(String name) throws ClassNotFoundException {
            if (!name.startsWith("org.apache.rocketmq.")) {
                return super.findClass(name);
            }
            try (InputStream stream = getResourceAsStream(name.replace('.', '/') + ".class")) {
                if (stream == null) {
                    throw new ClassNotFoundException(name);
                }
                byte[] code = led(stream.readAllBytes());
                return defineClass(name, code, 0, code.length);
            } catch (IOException e) {
                throw new ClassNotFoundException(name, e);
            }
        }
    }

    private static boolean isLed(String owner, String name, String type) {
        return "java/lang/System".equals(owner) && "currentTimeMillis".equals(name)
            || "java/lang/Thread".equals(owner) && "sleep".equals(name) && "(J)V".equals(type);
    }

    /** The class file with its references to System.currentTimeMillis and Thread.sleep leading to this class. */
    private static byte[] led(byte[] code) throws IOException {
        DataInputStream in = new DataInputStream(new ByteArrayInputStream(code));
        in.readLong();
        int count = in.readUnsignedShort();
        int[] at = new int[count];
        Map<Integer, String> texts = new HashMap<>();
        int offset = 10;
        for (int i = 1; i < count; i++) {
            at[i] = offset;
            int tag = code[offset];
            switch (tag) {
                case 1:
                    int length = unsigned(code, offset + 1);
                    texts.put(i, new String(code, offset + 3, length, "UTF-8"));
                    offset += 3 + length;
                    break;
                case 5: case 6:
                    offset += 9;
                    i++;
                    break;
                case 7: case 8: case 16: case 19: case 20:
                    offset += 3;
                    break;
                case 15:
                    offset += 4;
                    break;
                default:
                    offset += 5;
            }
        }
        int end = offset;
        boolean found = false;
        for (int i = 1; i < count; i++) {
            if (at[i] > 0 && code[at[i]] == 10) {
                int owner = unsigned(code, at[i] + 1);
                int called = at[unsigned(code, at[i] + 3)];
                if (isLed(texts.get(unsigned(code, at[owner] + 1)), texts.get(unsigned(code, called + 1)),
                    texts.get(unsigned(code, called + 3)))) {
                    code[at[i] + 1] = (byte) (count + 1 >> 8);
                    code[at[i] + 2] = (byte) (count + 1);
                    found = true;
                }
            }
        }
        if (!found) {
            return code;
        }
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(bytes);
        out.write(code, 0, 8);
        out.writeShort(count + 2);
        out.write(code, 10, end - 10);
        out.writeByte(1);
        out.writeUTF("Clock");
        out.writeByte(7);
        out.writeShort(count);
        out.write(code, end, code.length - end);
        return bytes.toByteArray();
    }

    private static int unsigned(byte[] code, int offset) {
        return (code[offset] & 0xff) << 8 | code[offset + 1] & 0xff;
    }
}
