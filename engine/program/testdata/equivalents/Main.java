import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.time.Instant;
import java.util.List;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.params.SetParams;

/** Does what its standard input says with the functions of a program. */
final class Main {
    /** A client of Redis, with what a lock program knows. */
    static final class Client extends Jedis {
        final String name = "C1";
        final long timeout = 10;
        final long timeoutMs = 10_000;
        final Storage storage = new Storage();

        Client(String socket) {
            super(socket);
        }

        String token() {
            return "C1-1";
        }

        void work() {}

        /** Asks the test for the time. */
        Instant now() {
            return Instant.ofEpochMilli(Math.round(Double.parseDouble((String) ask("CLOCK")) * 1000));
        }

        final class Storage {
            void write(long fence) {
                ask("WRITE", String.valueOf(fence));
            }
        }
    }

    static final class Lease {
        private final String token;
        private Instant until;

        Lease(String token, Instant until) {
            this.token = token;
            this.until = until;
        }

        String token() {
            return token;
        }

        Instant until() {
            return until;
        }

        void renew(Instant until) {
            this.until = until;
        }
    }

//PROGRAM

    public static void main(String[] arguments) throws Exception {
        Client c = new Client(arguments[0]);
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
        LEASE held = null;
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            String says = "done";
            try {
                switch (line) {
                    case "acquire" -> {
                        held = acquire(c);
                        says = held == null ? "not acquired" : "acquired";
                    }
                    case "work" -> WORK
                    default -> release(c, held);
                }
            } catch (RuntimeException error) {
                says = error.getMessage();
            }
            System.out.println(says);
        }
    }
}
