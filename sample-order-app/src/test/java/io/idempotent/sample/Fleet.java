package io.idempotent.sample;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

/**
 * Several shops with one database and one Redis, both of which the first one brings.
 */
final class Fleet implements AutoCloseable {

	private final Queue<Node> nodes = new ConcurrentLinkedQueue<>();

	private final Path directory;

	private Fleet(Path directory) {
		this.directory = directory;
	}

	static Fleet start(Path directory, int size, String... arguments) {
		Fleet fleet = new Fleet(directory);
		try {
			String redis = "--spring.data.redis.port=" + fleet.add(0, arguments).redisPort();
			String[] joining = Stream.concat(Stream.of(arguments), Stream.of(redis)).toArray(String[]::new);
			CompletableFuture
				.allOf(IntStream.range(1, size)
					.mapToObj((i) -> CompletableFuture.runAsync(() -> fleet.add(i, joining),
							(task) -> new Thread(task).start()))
					.toArray(CompletableFuture[]::new))
				.join();
			return fleet;
		}
		catch (RuntimeException ex) {
			fleet.close();
			throw ex;
		}
	}

	private Node add(int number, String... arguments) {
		String[] all = Stream.concat(Stream.of("--spring.datasource.url=" + url()), Stream.of(arguments))
			.toArray(String[]::new);
		try {
			Node node = Node.start(this.directory.resolve("node-" + number + ".txt"), all);
			this.nodes.add(node);
			return node;
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private String url() {
		return "jdbc:h2:file:" + this.directory.resolve("shop") + ";AUTO_SERVER=TRUE";
	}

	List<Shop> shops() {
		return this.nodes.stream().map(Node::shop).toList();
	}

	/**
	 * Kills a node. The first one takes its Redis with it, unless that is separate.
	 */
	void kill(int number) {
		this.nodes.stream().skip(number).findFirst().orElseThrow().close();
	}

	/**
	 * What all of them have logged.
	 * @return the lines, those of one node in their order
	 */
	List<String> log() {
		return this.nodes.stream().flatMap((node) -> node.log().lines()).toList();
	}

	/**
	 * Lets Redis forget everything.
	 */
	void flushRedis() {
		try (Socket redis = new Socket("localhost", this.nodes.element().redisPort())) {
			redis.setSoTimeout(10_000);
			redis.getOutputStream().write("FLUSHALL\r\n".getBytes(StandardCharsets.US_ASCII));
			String answer = new BufferedReader(new InputStreamReader(redis.getInputStream(), StandardCharsets.US_ASCII))
				.readLine();
			if (!"+OK".equals(answer)) {
				throw new IOException("FLUSHALL was answered by " + answer);
			}
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	JdbcClient database() {
		return JdbcClient.create(new DriverManagerDataSource(url()));
	}

	@Override
	public void close() {
		this.nodes.forEach(Node::close);
	}

}
