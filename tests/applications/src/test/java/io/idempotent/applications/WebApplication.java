package io.idempotent.applications;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.stream.Stream;

import io.idempotent.testing.JavaProcess;

/**
 * A running application that takes orders.
 */
record WebApplication(JavaProcess process, URI orders) implements AutoCloseable {

	static WebApplication start(Application application, String... arguments) {
		JavaProcess process = application
			.start(Stream.concat(Stream.of("--server.port=0"), Stream.of(arguments)).toArray(String[]::new));
		try {
			String port = process.await("Tomcat started on port (\\d+)");
			return new WebApplication(process, URI.create("http://localhost:" + port + "/orders"));
		}
		catch (IllegalStateException ex) {
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

	/**
	 * The answer to a submission.
	 *
	 * @param body its body
	 * @param replayed whether it says that it is a stored one
	 */
	record Answer(String body, boolean replayed) {
	}

}
