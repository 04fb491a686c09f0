package io.idempotent.calls;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * The shop in a process of its own.
 */
final class ShopProcess implements AutoCloseable {

	private final Process process;

	private final CompletableFuture<Integer> port = new CompletableFuture<>();

	ShopProcess(String payments, int redis) throws IOException {
		this.process = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
				"-Xmx128m", "-XX:TieredStopAtLevel=1", "-cp", System.getProperty("java.class.path"),
				ShopServer.class.getName(), payments, String.valueOf(redis))
			.redirectErrorStream(true)
			.start();
		Thread listener = new Thread(this::listen, "shop-" + this.process.pid());
		listener.setDaemon(true);
		listener.start();
	}

	private void listen() {
		try (BufferedReader lines = this.process.inputReader(StandardCharsets.UTF_8)) {
			lines.lines()
				.filter((line) -> line.startsWith(ShopServer.LISTENING))
				.forEach((line) -> this.port.complete(Integer.valueOf(line.substring(ShopServer.LISTENING.length()))));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		this.port.completeExceptionally(new IllegalStateException("The process has ended"));
	}

	String url() {
		return "http://localhost:" + this.port.orTimeout(1, TimeUnit.MINUTES).join();
	}

	@Override
	public void close() {
		this.process.destroyForcibly().onExit().orTimeout(1, TimeUnit.MINUTES).join();
	}

}
