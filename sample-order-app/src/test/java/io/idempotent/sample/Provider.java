package io.idempotent.sample;

import java.nio.file.Path;

import com.jayway.jsonpath.JsonPath;
import io.idempotent.sample.provider.PaymentProvider;

/**
 * A payment provider that can be killed and started again.
 */
final class Provider implements AutoCloseable {

	private final Path effects;

	private final int port;

	private PaymentProvider running;

	Provider(Path directory) {
		this.effects = directory.resolve("effects");
		this.running = PaymentProvider.start(0, this.effects);
		this.port = this.running.port();
	}

	/** On the port that it had, and with the effects that it had. */
	void start() {
		this.running = PaymentProvider.start(this.port, this.effects);
	}

	String url() {
		return "http://localhost:" + this.port;
	}

	int calls(String service) {
		return JsonPath.read(new Shop(this.port).get("/" + service).body(), "$.calls");
	}

	int effects(String service) {
		return JsonPath.read(new Shop(this.port).get("/" + service).body(), "$.effects");
	}

	void pause(String service) {
		new Shop(this.port).post("/pause/" + service, "");
	}

	void resume(String service) {
		new Shop(this.port).post("/resume/" + service, "");
	}

	/** Calls that wait get no answer. */
	void kill() {
		if (this.running != null) {
			this.running.close();
			this.running = null;
		}
	}

	/** Runs again, whatever a test has done to it, and has counted no call. */
	void restart() {
		kill();
		start();
	}

	@Override
	public void close() {
		kill();
	}

}
