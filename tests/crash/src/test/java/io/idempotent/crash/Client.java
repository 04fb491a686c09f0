package io.idempotent.crash;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;

/**
 * Submits operations, and repeats them until there is a last word.
 */
final class Client {

	private static final long PAUSE_MILLIS = 250;

	private static final Duration PATIENCE = Duration.ofMinutes(1);

	private final HttpClient http = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

	/**
	 * Submits an operation that stands still at its point.
	 * @return the answer; fails if there is none
	 */
	CompletableFuture<Answer> submit(String port, Trial trial) {
		return send(request(port, trial).header(CrashApplication.POINT_HEADER, trial.point().name()));
	}

	/**
	 * Submits an operation again and again.
	 * @return the last word
	 */
	CompletableFuture<Answer> insist(String port, Trial trial) {
		return send(request(port, trial)).thenCompose((answer) -> {
			CompletableFuture<Answer> told = CompletableFuture.completedFuture(answer);
			return answer.isFinal() ? told : told.thenComposeAsync((same) -> insist(port, trial), later());
		});
	}

	private static Executor later() {
		return CompletableFuture.delayedExecutor(PAUSE_MILLIS, TimeUnit.MILLISECONDS);
	}

	private CompletableFuture<Answer> send(HttpRequest.Builder request) {
		return this.http.sendAsync(request.build(), BodyHandlers.ofString()).thenApply(Answer::of);
	}

	private static HttpRequest.Builder request(String port, Trial trial) {
		return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + trial.treatment().path()))
			.timeout(PATIENCE)
			.header("Idempotency-Key", trial.key())
			.POST(BodyPublishers.noBody());
	}

}
