package io.idempotent.benchmarks.http;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

import io.idempotent.benchmarks.http.Connection.Answer;
import io.idempotent.benchmarks.measure.Contender;

/**
 * Load on one application, over connections of its own: one for each thread.
 */
final class Load implements AutoCloseable {

	private static final long LONGEST_BACKLOG = TimeUnit.SECONDS.toNanos(1);

	private final List<Connection> connections = new ArrayList<>();

	private final List<String> repeated = new ArrayList<>();

	Load(Child application, int threads) throws IOException {
		for (int thread = 0; thread < threads; thread++) {
			this.connections.add(new Connection(application.port()));
			this.repeated.add(UUID.randomUUID().toString());
		}
	}

	Contender get(String name) {
		return new Contender(name,
				(stopwatch) -> connection(stopwatch.thread()).send(Requests.GET).require(Requests.ORDER, false));
	}

	Contender post(String name) {
		return new Contender(name,
				(stopwatch) -> connection(stopwatch.thread()).send(Requests.POST).require(Requests.ORDER, false));
	}

	Contender firstByKey(String name) {
		return firstByKey(name, "/order-by-key", Requests.ORDER);
	}

	/** A new key each time, with a handler that returns what it gets. */
	Contender firstByKey(String name, String path, String body) {
		return new Contender(name,
				(stopwatch) -> connection(stopwatch.thread())
					.send(Requests.byKey(path, body, UUID.randomUUID().toString()))
					.require(body, false));
	}

	/**
	 * The same, so many times a second, however long the answers take. A request that is
	 * sent late counts from when it was due.
	 */
	Contender firstByKey(String name, String path, String body, int perSecond) {
		long interval = TimeUnit.SECONDS.toNanos(1) / perSecond;
		AtomicLong last = new AtomicLong(System.nanoTime());
		return new Contender(name, (stopwatch) -> {
			// A new turn starts anew.
			long now = System.nanoTime();
			long due = last.updateAndGet((before) -> (now - before > LONGEST_BACKLOG) ? now : before + interval);
			while (System.nanoTime() - due < 0) {
				LockSupport.parkNanos(due - System.nanoTime());
			}
			stopwatch.startAt(due);
			connection(stopwatch.thread()).send(Requests.byKey(path, body, UUID.randomUUID().toString()))
				.require(body, false);
		});
	}

	Contender duplicateByKey(String name) throws IOException {
		return duplicateByKey(name, "/order-by-key", Requests.ORDER);
	}

	/**
	 * The same key again and again.
	 * @throws IOException if there is nothing to repeat
	 */
	Contender duplicateByKey(String name, String path, String body) throws IOException {
		for (int thread = 0; thread < this.connections.size(); thread++) {
			connection(thread).send(Requests.byKey(path, body, this.repeated.get(thread))).require(body, false);
		}
		return new Contender(name,
				(stopwatch) -> connection(stopwatch.thread())
					.send(Requests.byKey(path, body, this.repeated.get(stopwatch.thread())))
					.require(body, true));
	}

	Contender token(String name) {
		return new Contender(name, (stopwatch) -> fetchToken(connection(stopwatch.thread())));
	}

	Contender firstByToken(String name) {
		return new Contender(name, (stopwatch) -> {
			Connection connection = connection(stopwatch.thread());
			byte[] request = Requests.byToken(fetchToken(connection));
			stopwatch.start();
			Answer answer = connection.send(request);
			stopwatch.stop();
			answer.require(Requests.ORDER, false);
		});
	}

	private static String fetchToken(Connection connection) throws IOException {
		Answer answer = connection.send(Requests.TOKEN);
		if (answer.status() != 200 || answer.body().isEmpty()) {
			throw new IOException("No token came: " + answer);
		}
		return answer.body();
	}

	/** Sends a request on the connection of a thread. */
	Answer send(int thread, byte[] request) throws IOException {
		return connection(thread).send(request);
	}

	private Connection connection(int thread) {
		return this.connections.get(thread);
	}

	@Override
	public void close() throws IOException {
		for (Connection connection : this.connections) {
			connection.close();
		}
	}

}
