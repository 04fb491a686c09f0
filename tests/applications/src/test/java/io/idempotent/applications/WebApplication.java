package io.idempotent.applications;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A running application that takes orders.
 */
record WebApplication(ApplicationProcess process, URI orders) implements AutoCloseable {

	private static final Pattern STARTED = Pattern.compile("Tomcat started on port (\\d+)");

	static WebApplication start(Application application, String... arguments) throws IOException {
		ApplicationProcess process = application
			.start(Stream.concat(Stream.of("--server.port=0"), Stream.of(arguments)).toArray(String[]::new));
		try {
			return new WebApplication(process,
					URI.create("http://localhost:" + process.await(STARTED).group(1) + "/orders"));
		}
		catch (AssertionError ex) {
			process.close();
			throw ex;
		}
	}

	Answer submit(String key) throws IOException, InterruptedException {
		HttpRequest request = HttpRequest.newBuilder(this.orders)
			.timeout(Duration.ofSeconds(30))
			.header("Idempotency-Key", key)
			.POST(BodyPublishers.noBody())
			.build();
		HttpResponse<String> response = HttpClient.newHttpClient().send(request, BodyHandlers.ofString());
		return new Answer(response.body(),
				response.headers().firstValue("Idempotency-Replayed").filter("true"::equals).isPresent());
	}

	@Override
	public void close() {
		this.process.close();
	}

}
