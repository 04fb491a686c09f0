package io.idempotent.sample;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import io.idempotent.testing.JavaProcess;

import org.springframework.boot.SpringApplication;

/**
 * A shop in a process of its own.
 */
final class Node implements AutoCloseable {

	private static final String REDIS = "--spring\\.data\\.redis\\.port=(\\d+)";

	private final JavaProcess process;

	private Node(JavaProcess process) {
		this.process = process;
	}

	static Node start(Map<String, String> environment, String... arguments) {
		List<String> all = new ArrayList<>(List.of("--server.port=0"));
		all.addAll(List.of(arguments));
		ProcessBuilder command = JavaProcess.command(Main.class, all);
		command.environment().putAll(environment);
		Node node = new Node(JavaProcess.start(command));
		try {
			node.shop();
			return node;
		}
		catch (RuntimeException ex) {
			node.close();
			throw ex;
		}
	}

	Shop shop() {
		return new Shop(Integer.parseInt(this.process.await("Tomcat started on port (\\d+)")));
	}

	/**
	 * The port of the Redis that this node started for itself, taken from where a person
	 * would find it.
	 */
	int redisPort() {
		return Integer.parseInt(this.process.await(REDIS));
	}

	boolean hasItsOwnRedis() {
		return this.process.find(REDIS).findFirst().isPresent();
	}

	List<String> log() {
		return this.process.lines();
	}

	/**
	 * Kills the node and whatever it has in memory.
	 */
	@Override
	public void close() {
		this.process.close();
	}

	static final class Main {

		private Main() {
		}

		public static void main(String[] arguments) throws IOException {
			SpringApplication.run(SampleOrderApplication.class, arguments);
			System.exit(System.in.read());
		}

	}

}
