package io.idempotent.webmvc;

import java.net.http.HttpResponse;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

import io.idempotent.ApiIdempotent;
import io.idempotent.IdempotencyEvent;
import io.idempotent.IdempotencyListener;
import io.idempotent.Idempotent;
import io.idempotent.KeySource;
import io.idempotent.Refusal;
import io.idempotent.WhenCompleted;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import org.springframework.context.annotation.Import;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What a client reads whose request makes a call that is refused.
 */
class CallsOverHttpTests {

	@RegisterExtension
	static final TestServer server = TestServer.of(Controller.class);

	@BeforeEach
	void forget() {
		server.bean(Events.class).refused.clear();
	}

	@Test
	void aRefusedCallIsAProblemAndLoggedOnce() {
		assertThat(server.send(server.post("/plain", "")).statusCode()).isEqualTo(200);
		HttpResponse<byte[]> answer = server.send(server.post("/plain", ""));
		assertThat(answer.statusCode()).isEqualTo(409);
		assertThat(TestServer.code(answer)).isEqualTo("duplicate");
		assertThat(server.bean(Events.class).refused).containsExactly(Refusal.DUPLICATE);
	}

	@Test
	void aCallWithoutAKeyIsAProblemAndLoggedOnce() {
		assertThat(server.send(server.post("/keyless", "")).statusCode()).isEqualTo(400);
		assertThat(server.bean(Events.class).refused).containsExactly(Refusal.KEY_MISSING);
	}

	@Test
	void aRequestWithoutAKeyIsStillLogged() {
		assertThat(server.send(server.post("/twofold", "")).statusCode()).isEqualTo(400);
		assertThat(server.bean(Events.class).refused).containsExactly(Refusal.KEY_MISSING);
	}

	@Test
	void anOperationWhoseCallIsRefusedTookNoEffect() {
		server.bean(Service.class).once("inside");
		assertThat(server.send(server.post("/twofold", "").header("Idempotency-Key", "\"k\"")).statusCode())
			.isEqualTo(409);
		assertThat(server.send(server.post("/twofold", "").header("Idempotency-Key", "\"k\"")).statusCode())
			.isEqualTo(409);
		assertThat(server.bean(Events.class).refused).containsExactly(Refusal.DUPLICATE, Refusal.DUPLICATE);
	}

	@RestController
	@Import({ Service.class, Events.class })
	static class Controller {

		private final Service service;

		Controller(Service service) {
			this.service = service;
		}

		@PostMapping("/plain")
		String plain() {
			this.service.once("plain");
			return "done";
		}

		@PostMapping("/keyless")
		String keyless() {
			this.service.once("");
			return "done";
		}

		@ApiIdempotent(KeySource.HEADER)
		@PostMapping("/twofold")
		String twofold() {
			this.service.once("inside");
			return "done";
		}

	}

	static class Service {

		private final AtomicInteger runs = new AtomicInteger();

		@Idempotent(key = "#key", whenCompleted = WhenCompleted.REJECT)
		public int once(String key) {
			return this.runs.incrementAndGet();
		}

	}

	static class Events implements IdempotencyListener {

		final List<Refusal> refused = new CopyOnWriteArrayList<>();

		@Override
		public void onEvent(IdempotencyEvent event) {
			if (event.refusal() != null) {
				this.refused.add(event.refusal());
			}
		}

	}

}
