package io.idempotent.kafka;

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
import org.springframework.context.support.GenericApplicationContext;

/**
 * The application in a JVM of its own, which stops at a point of its work to be killed
 * there.
 */
final class ShopProcess implements AutoCloseable {

	private final Process process;

	private ShopProcess(Process process) {
		this.process = process;
	}

	static ShopProcess start(Class<?> shop, Stop.Point point, int bookings, List<String> arguments) {
		List<String> command = new ArrayList<>(List.of(ProcessHandle.current().info().command().orElse("java"),
				"-Xmx192m", "-XX:TieredStopAtLevel=1", "-cp", System.getProperty("java.class.path"),
				ShopProcess.class.getName(), shop.getName(), point.name(), Integer.toString(bookings)));
		command.addAll(arguments);
		try {
			return new ShopProcess(new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD).start());
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * Kills the application ({@code kill -9}) as soon as it has stopped, on a thread of
	 * its own: the common pool has one for two processors, and would kill one after
	 * another.
	 * @return the payment at which it was
	 */
	CompletableFuture<String> killWhereItStops() {
		return CompletableFuture.supplyAsync(() -> {
			String payment = awaitStop();
			close();
			return payment;
		}, (task) -> new Thread(task).start()).orTimeout(2, TimeUnit.MINUTES);
	}

	private String awaitStop() {
		try (BufferedReader output = this.process.inputReader(StandardCharsets.UTF_8)) {
			List<String> lines = new ArrayList<>();
			for (String line = output.readLine(); line != null; line = output.readLine()) {
				if (line.startsWith(Stop.SAYING)) {
					return line.substring(Stop.SAYING.length());
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

	public static void main(String[] arguments) throws Exception {
		Stop stop = new Stop(Stop.Point.valueOf(arguments[1]), Integer.parseInt(arguments[2]));
		new SpringApplicationBuilder(Class.forName(arguments[0]))
			.initializers((GenericApplicationContext context) -> context.registerBean(Stop.class, () -> stop))
			.run(List.of(arguments).subList(3, arguments.length).toArray(String[]::new));
		// Until the JVM ends that has started this one.
		System.in.transferTo(OutputStream.nullOutputStream());
		Runtime.getRuntime().halt(0);
	}

}
