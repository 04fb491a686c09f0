package io.idempotent.messaging;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.support.GenericApplicationContext;

/**
 * An application in a JVM of its own, which stops at its first payment to be killed
 * there.
 */
final class ShopProcess {

	private ShopProcess() {
	}

	/**
	 * Starts an application and kills it ({@code kill -9}) when it has stopped.
	 * @param shop its class
	 * @param arguments its arguments
	 */
	static void runAndKill(Class<?> shop, List<String> arguments) throws IOException {
		List<String> command = new ArrayList<>(
				List.of(ProcessHandle.current().info().command().orElse("java"), "-Xmx192m", "-XX:TieredStopAtLevel=1",
						"-cp", System.getProperty("java.class.path"), ShopProcess.class.getName(), shop.getName()));
		command.addAll(arguments);
		Process process = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD).start();
		try {
			awaitStop(process);
		}
		finally {
			process.destroyForcibly().onExit().join();
		}
	}

	private static void awaitStop(Process process) throws IOException {
		try (BufferedReader output = process.inputReader(StandardCharsets.UTF_8)) {
			List<String> lines = new ArrayList<>();
			for (String line = output.readLine(); line != null; line = output.readLine()) {
				if (line.startsWith(Stop.REPORT)) {
					return;
				}
				lines.add(line);
			}
			throw new IllegalStateException("The other JVM has ended:\n" + String.join("\n", lines));
		}
	}

	public static void main(String[] arguments) throws Exception {
		new SpringApplicationBuilder(Class.forName(arguments[0]))
			.initializers((GenericApplicationContext context) -> context.registerBean(Incident.class, Stop::new))
			.run(List.of(arguments).subList(1, arguments.length).toArray(String[]::new));
		// Until the JVM ends that has started this one.
		System.in.transferTo(OutputStream.nullOutputStream());
		Runtime.getRuntime().halt(0);
	}

}
