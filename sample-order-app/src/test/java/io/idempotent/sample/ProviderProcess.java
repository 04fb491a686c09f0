package io.idempotent.sample;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import com.jayway.jsonpath.JsonPath;
import io.idempotent.sample.provider.PaymentProvider;
import org.awaitility.Awaitility;

/**
 * A payment provider in a process of its own, which can be killed and started again.
 */
final class ProviderProcess implements AutoCloseable {

	private static final Pattern STARTED = Pattern.compile("Provider started on port (\\d+)");

	private final HttpClient client = HttpClient.newHttpClient();

	private final Path directory;

	private Process process;

	private int port;

	ProviderProcess(Path directory) {
		this.directory = directory;
		start();
	}

	/** On the port that it had. */
	void start() {
		Path log = this.directory.resolve("provider.log");
		try {
			Files.deleteIfExists(log);
			this.process = new ProcessBuilder(
					List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-cp",
							System.getProperty("java.class.path"), PaymentProvider.class.getName(),
							String.valueOf(this.port), this.directory.resolve("effects").toString()))
				.redirectErrorStream(true)
				.redirectOutput(Redirect.to(log.toFile()))
				.start();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		this.port = Awaitility.await().atMost(Duration.ofMinutes(2)).until(() -> portIn(log), (found) -> found > 0);
	}

	private static int portIn(Path log) throws IOException {
		Matcher started = STARTED.matcher(Files.readString(log));
		return started.find() ? Integer.parseInt(started.group(1)) : 0;
	}

	String url() {
		return "http://localhost:" + this.port;
	}

	int calls(String service) {
		return JsonPath.read(send("GET", "/" + service), "$.calls");
	}

	int effects(String service) {
		return JsonPath.read(send("GET", "/" + service), "$.effects");
	}

	void pause(String service) {
		send("POST", "/pause/" + service);
	}

	void resume(String service) {
		send("POST", "/resume/" + service);
	}

	private String send(String method, String path) {
		HttpRequest request = HttpRequest.newBuilder(URI.create(url() + path))
			.method(method, HttpRequest.BodyPublishers.noBody())
			.build();
		try {
			return this.client.send(request, BodyHandlers.ofString()).body();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IllegalStateException(ex);
		}
	}

	void kill() {
		try {
			this.process.destroyForcibly().waitFor(1, TimeUnit.MINUTES);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	@Override
	public void close() {
		kill();
	}

}
