package io.idempotent.inbox;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.support.GenericApplicationContext;

/**
 * The application in a JVM of its own. It places orders until it is killed or has placed
 * as many as it was asked to.
 */
final class Node implements AutoCloseable {

	private final Process process;

	private Node(Process process) {
		this.process = process;
	}

	/**
	 * Starts a node.
	 * @param name its name, part of the orders' ids
	 * @param orders how many orders it places
	 * @param stop at which point it stops
	 * @param reservations at which reservation it stops; negative if it never does
	 * @param arguments of the application
	 * @return the node
	 */
	static Node start(String name, int orders, Stop.Point stop, int reservations, List<String> arguments) {
		List<String> command = new ArrayList<>(List.of(ProcessHandle.current().info().command().orElse("java"),
				"-Xmx192m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-cp", System.getProperty("java.class.path"),
				Node.class.getName(), name, Integer.toString(orders), stop.name(), Integer.toString(reservations)));
		command.addAll(arguments);
		try {
			// A node blocks once a pipe is full that nobody reads.
			boolean read = reservations >= 0;
			return new Node(new ProcessBuilder(command)
				.redirectOutput(read ? ProcessBuilder.Redirect.PIPE : ProcessBuilder.Redirect.DISCARD)
				.redirectError(ProcessBuilder.Redirect.DISCARD)
				.start());
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * Kills the node ({@code kill -9}) as soon as a listener has stopped, or if none
	 * does.
	 * @return the order at which it stopped
	 */
	CompletableFuture<String> killWhereItStops() {
		return CompletableFuture.supplyAsync(this::awaitStop, (task) -> new Thread(task).start())
			.orTimeout(3, TimeUnit.MINUTES)
			.whenComplete((order, failure) -> close());
	}

	boolean isRunning() {
		return this.process.isAlive();
	}

	private String awaitStop() {
		try (BufferedReader output = this.process.inputReader(StandardCharsets.UTF_8)) {
			List<String> lines = new ArrayList<>();
			for (String line = output.readLine(); line != null; line = output.readLine()) {
				if (line.startsWith(Stop.REPORT)) {
					return line.substring(Stop.REPORT.length());
				}
				lines.add(line);
			}
			throw new IllegalStateException("The other JVM has ended:\n" + String.join("\n", lines));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	@Override
	public void close() {
		this.process.destroyForcibly().onExit().orTimeout(1, TimeUnit.MINUTES).join();
	}

	public static void main(String[] arguments) throws IOException {
		String name = arguments[0];
		int orders = Integer.parseInt(arguments[1]);
		Stop stop = new Stop(Stop.Point.valueOf(arguments[2]), Integer.parseInt(arguments[3]));
		ConfigurableApplicationContext context = new SpringApplicationBuilder(Inbox.class)
			.initializers((GenericApplicationContext beans) -> beans.registerBean(Incident.class, () -> stop))
			.run(List.of(arguments).subList(4, arguments.length).toArray(String[]::new));
		Thread customer = new Thread(() -> {
			for (int i = 0; i < orders; i++) {
				context.getBean(Orders.class).place(name + "-" + i);
			}
		});
		customer.setDaemon(true);
		customer.start();
		// Until the JVM ends that has started this one.
		System.in.transferTo(OutputStream.nullOutputStream());
		Runtime.getRuntime().halt(0);
	}

}
