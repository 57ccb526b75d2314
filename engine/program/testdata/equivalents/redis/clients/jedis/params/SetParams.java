package redis.clients.jedis.params;

import java.util.ArrayList;
import java.util.List;

/** Stands in for the parameters of Jedis' SET. */
public final class SetParams {
    private final List<String> words = new ArrayList<>();

    public static SetParams setParams() {
        return new SetParams();
    }

    public SetParams nx() {
        words.add("NX");
        return this;
    }

    public SetParams px(long milliseconds) {
        words.addAll(List.of("PX", String.valueOf(milliseconds)));
        return this;
    }

    public List<String> words() {
        return words;
    }
}
