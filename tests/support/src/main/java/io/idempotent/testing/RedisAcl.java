package io.idempotent.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;

import io.idempotent.embedded.EmbeddedRedis;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.sync.RedisCommands;

/**
 * What a page of the documentation lets the application's user do in a Redis: the lines
 * that begin with {@code ACL SETUSER shop} are read there and sent as they are.
 *
 * @param rules what follows the name of the user
 */
public record RedisAcl(List<String> rules) {

	public static final String USER = "shop";

	public static final String PASSWORD = "shop-secret";

	private static final String SET_USER = "ACL SETUSER " + USER + " ";

	/**
	 * The rule of a page for a single server.
	 * @param page the name of the page
	 * @return the rule of a user that has no other
	 */
	public static RedisAcl of(String page) {
		return new RedisAcl(line(page, (rules) -> rules.startsWith("reset ")));
	}

	/**
	 * The rule of a page for several servers.
	 * @param page the name of the page
	 * @param addition how the line begins that adds what they need
	 * @return the rule for a single server and what is added
	 */
	public static RedisAcl of(String page, String addition) {
		return of(page).and(line(page, (rules) -> rules.startsWith(addition)));
	}

	private static List<String> line(String page, Predicate<String> wanted) {
		try (Stream<String> lines = Files.lines(Path.of("..", "..", "docs", page))) {
			List<String> found = lines.filter((line) -> line.startsWith(SET_USER))
				.map((line) -> line.substring(SET_USER.length()))
				.filter(wanted)
				.toList();
			if (found.size() != 1) {
				throw new IllegalStateException(page + " has " + found.size() + " such lines: " + found);
			}
			return Arrays.asList(found.get(0).split(" "));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * This rule, and more.
	 * @param more what follows
	 * @return the rule
	 */
	public RedisAcl and(List<String> more) {
		return new RedisAcl(Stream.concat(this.rules.stream(), more.stream()).toList());
	}

	/**
	 * This rule, and that of a page whose user it is too.
	 * @param other the other rule; what it begins a new user with is left out
	 * @return the rule
	 */
	public RedisAcl and(RedisAcl other) {
		return and(other.permissions());
	}

	public RedisAcl without(String permission) {
		return new RedisAcl(this.rules.stream().filter((rule) -> !rule.equals(permission)).toList());
	}

	/**
	 * The keys, channels and commands that are allowed.
	 */
	public List<String> permissions() {
		return this.rules.stream().filter((rule) -> "~&+".indexOf(rule.charAt(0)) >= 0).toList();
	}

	/**
	 * What this rule permits and another one does not.
	 */
	public List<String> beyond(RedisAcl other) {
		return permissions().stream().filter((permission) -> !other.rules.contains(permission)).toList();
	}

	/**
	 * Makes the user have this rule on a server, which forgets what it has denied so far
	 * and the scripts that it knows.
	 * @param server the server
	 */
	public void set(EmbeddedRedis server) {
		RedisTalk.tell(server, SET_USER + String.join(" ", this.rules));
		RedisTalk.tell(server, "ACL LOG RESET");
		RedisTalk.tell(server, "SCRIPT FLUSH");
	}

	/**
	 * What a server has denied, as reason and object, such as {@code command get} or
	 * {@code key shop:lock:a}.
	 * @param server the server
	 * @return each once
	 */
	public static List<String> denied(EmbeddedRedis server) {
		return asAdministrator(server,
				(redis) -> redis.aclLog()
					.stream()
					.map((entry) -> entry.get("reason") + " " + entry.get("object"))
					.toList());
	}

	/**
	 * How the lack of a permission is told among what was {@link #denied}.
	 * @param permission a command, key or channel of a rule
	 * @return whether it is that
	 */
	public static Predicate<String> denialOf(String permission) {
		String named = permission.substring(1);
		return (denied) -> switch (permission.charAt(0)) {
			case '~' -> denied.startsWith("key " + beginning(named));
			case '&' -> denied.startsWith("channel " + beginning(named));
			default -> denied.equals("command " + named);
		};
	}

	private static String beginning(String pattern) {
		return pattern.endsWith("*") ? pattern.substring(0, pattern.length() - 1) : pattern;
	}

	/**
	 * All keys of database 0.
	 */
	public static List<String> keys(EmbeddedRedis server) {
		return asAdministrator(server, (redis) -> redis.keys("*"));
	}

	/**
	 * The users of all connections but one's own.
	 */
	public static List<String> connectedUsers(EmbeddedRedis server) {
		return asAdministrator(server,
				(redis) -> redis.clientList()
					.lines()
					.filter((line) -> !line.contains(" cmd=client"))
					.map((line) -> line.replaceAll(".* user=(\\S+).*", "$1"))
					.toList());
	}

	private static <T> T asAdministrator(EmbeddedRedis server, Function<RedisCommands<String, String>, T> question) {
		try (RedisClient client = RedisClient.create(RedisURI.create(server.host(), server.port()))) {
			return question.apply(client.connect().sync());
		}
	}

}
