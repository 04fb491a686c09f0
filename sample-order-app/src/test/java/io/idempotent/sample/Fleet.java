package io.idempotent.sample;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Stream;

import io.idempotent.testing.RedisTalk;

import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

/**
 * Several shops with one database and one Redis, both of which the first one brings.
 */
final class Fleet implements AutoCloseable {

	private final Queue<Node> nodes = new ConcurrentLinkedQueue<>();

	private final String url;

	private Fleet(Path directory) {
		this.url = "jdbc:h2:file:" + directory.resolve("shop") + ";AUTO_SERVER=TRUE";
	}

	static Fleet start(Path directory, int size, String... arguments) {
		Fleet fleet = new Fleet(directory);
		try {
			fleet.add(arguments);
			String[] joining = Stream
				.concat(Stream.of(arguments), Stream.of("--spring.data.redis.port=" + fleet.redisPort()))
				.toArray(String[]::new);
			CompletableFuture.allOf(Stream
				.generate(
						() -> CompletableFuture.runAsync(() -> fleet.add(joining), (task) -> new Thread(task).start()))
				.limit(size - 1)
				.toArray(CompletableFuture[]::new)).join();
			return fleet;
		}
		catch (RuntimeException ex) {
			fleet.close();
			throw ex;
		}
	}

	private void add(String... arguments) {
		this.nodes.add(Node.start(Map.of(),
				Stream.concat(Stream.of("--spring.datasource.url=" + this.url), Stream.of(arguments))
					.toArray(String[]::new)));
	}

	private int redisPort() {
		return this.nodes.element().redisPort();
	}

	List<Shop> shops() {
		return this.nodes.stream().map(Node::shop).toList();
	}

	/**
	 * Kills a node. The first one takes its Redis with it.
	 */
	void kill(int number) {
		this.nodes.stream().skip(number).findFirst().orElseThrow().close();
	}

	/**
	 * What all of them have logged.
	 */
	Stream<String> log() {
		return this.nodes.stream().flatMap((node) -> node.log().stream());
	}

	/**
	 * Lets Redis forget everything.
	 */
	void flushRedis() {
		String answer = RedisTalk.ask(redisPort(), "FLUSHALL");
		if (!answer.startsWith("+OK")) {
			throw new IllegalStateException("FLUSHALL was answered by " + answer);
		}
	}

	JdbcClient database() {
		return JdbcClient.create(new DriverManagerDataSource(this.url));
	}

	@Override
	public void close() {
		this.nodes.forEach(Node::close);
	}

}
