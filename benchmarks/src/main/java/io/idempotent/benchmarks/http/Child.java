package io.idempotent.benchmarks.http;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

import io.idempotent.benchmarks.measure.Java;

import org.springframework.boot.Banner;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;

/**
 * An application in a JVM of its own, with our class path. It ends with its standard
 * input, so that it never outlives us.
 */
final class Child implements AutoCloseable {

	private static final String READY = "listens on ";

	private final Process process;

	private final int port;

	private Child(Process process, int port) {
		this.process = process;
		this.port = port;
	}

	/**
	 * Starts an application and waits until it listens.
	 * @param application its main class
	 * @param arguments of its command line
	 * @return the running application
	 * @throws IOException if it does not start
	 */
	static Child start(Class<?> application, List<String> arguments) throws IOException {
		List<String> command = Java.command(application, "-Xms256m", "-Xmx1g", "-XX:+UseParallelGC");
		command.addAll(arguments);
		Process process = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
		BufferedReader output = new BufferedReader(
				new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
		for (String line = output.readLine(); line != null; line = output.readLine()) {
			if (line.startsWith(READY)) {
				return new Child(process, Integer.parseInt(line.substring(READY.length())));
			}
			System.out.println(line);
		}
		throw new IOException(application.getSimpleName() + " did not start");
	}

	/** Its processor time and memory are those of the application. */
	ProcessHandle process() {
		return this.process.toHandle();
	}

	int port() {
		return this.port;
	}

	@Override
	public void close() {
		this.process.destroyForcibly();
	}

	/**
	 * What the child does.
	 * @param application its configuration
	 * @param arguments of the command line
	 */
	static void run(Class<?> application, String[] arguments) {
		String port = new SpringApplicationBuilder(application).web(WebApplicationType.SERVLET)
			.bannerMode(Banner.Mode.OFF)
			.logStartupInfo(false)
			.properties("server.port=0", "server.tomcat.max-keep-alive-requests=-1",
					"server.tomcat.keep-alive-timeout=10m", "logging.level.root=warn", "idempotent.namespace=shop")
			.run(arguments)
			.getEnvironment()
			.getRequiredProperty("local.server.port");
		System.out.println(READY + port);
		Thread parent = new Thread(Child::endWithParent, "parent");
		parent.setDaemon(true);
		parent.start();
	}

	private static void endWithParent() {
		try {
			// Nothing is ever said.
			System.in.transferTo(OutputStream.nullOutputStream());
		}
		catch (IOException ex) {
			System.err.println(ex);
		}
		Runtime.getRuntime().halt(0);
	}

}
