package io.idempotent.testing;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.idempotent.embedded.EmbeddedRedis;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisException;
import io.lettuce.core.RedisURI;
import io.lettuce.core.ScanArgs;
import io.lettuce.core.ScanIterator;
import io.lettuce.core.api.sync.RedisCommands;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.cluster.api.sync.RedisClusterCommands;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.TestWatcher;

/**
 * The server that a contract is tested on: an embedded Redis, or the server that the
 * system property {@value #PROPERTY} names. On a named server all keys contain a random
 * prefix and are deleted at the end, and a table of the results is printed. Registered as
 * a static field of a test class.
 */
public final class RedisUnderTest implements BeforeAllCallback, AfterAllCallback, TestWatcher {

	/** Names a server: {@code redis[s]://[user:password@]host[:port][/database]}. */
	public static final String PROPERTY = "idempotent.test.redis";

	private static final Pattern VERSION = Pattern.compile("(?m)^((?!gcc)\\w+_version|redis_mode):(\\S+)");

	private final String contract;

	private final Map<String, Counts> results = new TreeMap<>();

	private @Nullable EmbeddedRedis embedded;

	private @Nullable RedisURI uri;

	private boolean cluster;

	private String prefix = "";

	/**
	 * Creates the extension.
	 * @param contract what the table calls the contract
	 */
	public RedisUnderTest(String contract) {
		this.contract = contract;
	}

	/**
	 * The address of the server, with the user and the password.
	 */
	public RedisURI uri() {
		if (this.uri == null) {
			throw new IllegalStateException("There is no server before the tests of the class begin");
		}
		return this.uri;
	}

	/**
	 * Whether the server is a node of a Cluster.
	 */
	public boolean isCluster() {
		return this.cluster;
	}

	/**
	 * What all keys and channels must contain.
	 */
	public String prefix() {
		return this.prefix;
	}

	@Override
	public void beforeAll(ExtensionContext context) {
		if (this.uri != null) {
			// A nested class.
			return;
		}
		this.prefix = "idempotent-test-" + Long.toHexString(ThreadLocalRandom.current().nextLong() | Long.MIN_VALUE)
				+ ":";
		String named = System.getProperty(PROPERTY, "");
		if (named.isEmpty()) {
			this.embedded = EmbeddedRedis.start();
			this.uri = RedisURI.create(this.embedded.host(), this.embedded.port());
		}
		else {
			this.uri = RedisURI.create(named);
			this.cluster = isNodeOfCluster();
		}
	}

	private boolean isNodeOfCluster() {
		try (RedisClient client = RedisClient.create(uri())) {
			return isNodeOfCluster(client.connect().sync());
		}
		catch (RedisException ex) {
			throw new IllegalStateException(
					"The server " + address() + ", which -D" + PROPERTY + " names, does not answer: " + reason(ex), ex);
		}
	}

	/** A server that refuses the question is treated as a single one. */
	private static boolean isNodeOfCluster(RedisCommands<String, String> redis) {
		try {
			return redis.info("cluster").contains("cluster_enabled:1");
		}
		catch (RedisCommandExecutionException ex) {
			return false;
		}
	}

	@Override
	public void afterAll(ExtensionContext context) {
		if (context.getRequiredTestClass().getEnclosingClass() != null) {
			return;
		}
		if (this.embedded != null) {
			this.embedded.close();
		}
		else {
			String version = version();
			String keys = deleteKeys();
			System.out.print(table(version, keys));
		}
		this.embedded = null;
		this.uri = null;
		this.cluster = false;
		this.results.clear();
	}

	private String version() {
		try {
			Matcher versions = VERSION.matcher(ask((redis) -> redis.info("server")));
			StringBuilder text = new StringBuilder();
			while (versions.find()) {
				text.append(text.isEmpty() ? "" : ", ").append(versions.group(1)).append(' ').append(versions.group(2));
			}
			return text.toString();
		}
		catch (RedisException ex) {
			return "version unknown: " + reason(ex);
		}
	}

	/**
	 * Deletes the keys of this run and no others.
	 */
	private String deleteKeys() {
		try {
			return ask((redis) -> {
				List<String> keys = keys(redis);
				keys.forEach(redis::del);
				return keys.size() + " deleted, " + keys(redis).size() + " left";
			});
		}
		catch (RedisException ex) {
			return "left to expire within a day, since they could not be listed: " + reason(ex);
		}
	}

	private List<String> keys(RedisClusterCommands<String, String> redis) {
		return ScanIterator.scan(redis, ScanArgs.Builder.matches("*" + this.prefix + "*").limit(1000))
			.stream()
			.toList();
	}

	private <T> T ask(Function<RedisClusterCommands<String, String>, T> question) {
		if (this.cluster) {
			try (RedisClusterClient client = RedisClusterClient.create(uri())) {
				return question.apply(client.connect().sync());
			}
		}
		try (RedisClient client = RedisClient.create(uri())) {
			return question.apply(client.connect().sync());
		}
	}

	private String address() {
		return uri().getHost() + ":" + uri().getPort() + "/" + uri().getDatabase();
	}

	private static String reason(Throwable failure) {
		Throwable cause = failure;
		while (cause.getCause() != null) {
			cause = cause.getCause();
		}
		return String.valueOf(cause.getMessage());
	}

	private String table(String version, String keys) {
		Counts sum = new Counts();
		this.results.values().forEach(sum::add);
		StringBuilder table = new StringBuilder("\n");
		table.append("%s on %s (%s)%n".formatted(this.contract, address(), version));
		table.append("%-24s %6s %6s %7s%n".formatted("", "passed", "failed", "skipped"));
		this.results.forEach((group, counts) -> table.append(counts.row(group)));
		table.append(sum.row("all"));
		table.append("keys beginning with %s %s%n".formatted(this.prefix, keys));
		table.append((sum.failed == 0 && sum.passed > 0) ? "CERTIFIED\n\n" : "NOT CERTIFIED\n\n");
		return table.toString();
	}

	@Override
	public void testSuccessful(ExtensionContext context) {
		counts(context).passed++;
	}

	@Override
	public void testFailed(ExtensionContext context, @Nullable Throwable cause) {
		counts(context).failed++;
	}

	@Override
	public void testAborted(ExtensionContext context, @Nullable Throwable cause) {
		counts(context).skipped++;
	}

	private Counts counts(ExtensionContext context) {
		return this.results.computeIfAbsent(context.getRequiredTestClass().getSimpleName(), (group) -> new Counts());
	}

	private static final class Counts {

		private int passed;

		private int failed;

		private int skipped;

		void add(Counts other) {
			this.passed += other.passed;
			this.failed += other.failed;
			this.skipped += other.skipped;
		}

		String row(String group) {
			return "%-24s %6d %6d %7d%n".formatted(group, this.passed, this.failed, this.skipped);
		}

	}

}
