package redis.clients.jedis;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import redis.clients.jedis.params.SetParams;

/** Stands in for Jedis, which no Debian package has: the methods that the equivalents call, with Jedis' signatures. */
public class Jedis {
    private final SocketChannel channel;
    private final InputStream in;

    public Jedis(String socket) {
        try {
            channel = SocketChannel.open(StandardProtocolFamily.UNIX);
            channel.connect(UnixDomainSocketAddress.of(socket));
            in = new BufferedInputStream(Channels.newInputStream(channel));
        } catch (IOException error) {
            throw new UncheckedIOException(error);
        }
    }

    public long setnx(String key, String value) {
        return (Long) ask("SETNX", key, value);
    }

    public String get(String key) {
        return (String) ask("GET", key);
    }

    public String getSet(String key, String value) {
        return (String) ask("GETSET", key, value);
    }

    public long del(String key) {
        return (Long) ask("DEL", key);
    }

    public long expire(String key, long seconds) {
        return (Long) ask("EXPIRE", key, String.valueOf(seconds));
    }

    public String set(String key, String value, SetParams params) {
        List<String> words = new ArrayList<>(List.of("SET", key, value));
        words.addAll(params.words());
        return (String) ask(words.toArray(String[]::new));
    }

    public Object eval(String script, List<String> keys, List<String> arguments) {
        List<String> words = new ArrayList<>(List.of("EVAL", script, String.valueOf(keys.size())));
        words.addAll(keys);
        words.addAll(arguments);
        return ask(words.toArray(String[]::new));
    }

    protected Object ask(String... words) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.writeBytes(("*" + words.length + "\r\n").getBytes(StandardCharsets.UTF_8));
        for (String word : words) {
            byte[] bytes = word.getBytes(StandardCharsets.UTF_8);
            out.writeBytes(("$" + bytes.length + "\r\n").getBytes(StandardCharsets.UTF_8));
            out.writeBytes(bytes);
            out.writeBytes("\r\n".getBytes(StandardCharsets.UTF_8));
        }
        try {
            channel.write(ByteBuffer.wrap(out.toByteArray()));
            String line = line();
            switch (line.charAt(0)) {
                case ':':
                    return Long.parseLong(line.substring(1));
                case '+':
                    return line.substring(1);
                case '-':
                    throw new IllegalStateException(line.substring(1));
                default:
                    int length = Integer.parseInt(line.substring(1));
                    if (length < 0) {
                        return null;
                    }
                    String bulk = new String(in.readNBytes(length), StandardCharsets.UTF_8);
                    in.readNBytes(2);
                    return bulk;
            }
        } catch (IOException error) {
            throw new UncheckedIOException(error);
        }
    }

    private String line() throws IOException {
        StringBuilder line = new StringBuilder();
        for (int c = in.read(); c != '\r'; c = in.read()) {
            if (c < 0) {
                throw new IOException("the server has gone");
            }
            line.append((char) c);
        }
        in.read();
        return line.toString();
    }
}
