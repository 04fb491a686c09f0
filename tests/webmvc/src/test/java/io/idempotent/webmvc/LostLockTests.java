package io.idempotent.webmvc;

import java.net.http.HttpResponse;
import java.util.UUID;

import io.idempotent.ApiIdempotent;
import io.idempotent.KeySource;
import io.idempotent.WhenUnknown;
import io.idempotent.lock.DistributedLocked;
import io.idempotent.lock.LockLostException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What a client reads whose request has lost its lock while it ran.
 */
class LostLockTests {

	@RegisterExtension
	static final TestServer server = TestServer.of(Sales.class, "idempotent.lock.engines=redisson",
			"idempotent.store.type=local");

	@Test
	void aLostLockIsAProblemWithAPossibleEffect() {
		HttpResponse<byte[]> response = submit("/flushed", "");
		assertThat(response.statusCode()).isEqualTo(500);
		assertThat(TestServer.header(response, "Content-Type")).isEqualTo("application/problem+json");
		assertThat(TestServer.code(response)).isEqualTo("lock-lost");
		assertThat(TestServer.text(response)).contains("It may have taken effect");
	}

	@Test
	void aLockLostBeforeTheCommitIsAProblemAfterRollback() {
		HttpResponse<byte[]> response = submit("/rolled-back", "");
		assertThat(response.statusCode()).isEqualTo(503);
		assertThat(TestServer.code(response)).isEqualTo("lock-lost-rolled-back");
		assertThat(TestServer.header(response, "Retry-After")).isEqualTo("1");
	}

	@Test
	void theApplicationsOwnHandlerComesFirst() {
		HttpResponse<byte[]> response = submit("/handled", "");
		assertThat(response.statusCode()).isEqualTo(502);
		assertThat(TestServer.text(response)).isEqualTo("ours");
	}

	@Test
	void anOperationThatLostItsLockIsNotRunAgain() {
		String key = UUID.randomUUID().toString();
		assertThat(TestServer.code(submit("/once", key))).isEqualTo("lock-lost");
		assertThat(TestServer.code(submit("/once", key))).isEqualTo("outcome-unknown");
	}

	@Test
	void anOperationThatWasRolledBackMayBeSentAgain() {
		String key = UUID.randomUUID().toString();
		assertThat(TestServer.code(submit("/once-rolled-back", key))).isEqualTo("lock-lost-rolled-back");
		assertThat(TestServer.code(submit("/once-rolled-back", key))).isEqualTo("lock-lost-rolled-back");
	}

	private static HttpResponse<byte[]> submit(String path, String key) {
		return server.send(server.post(path, "").header("Idempotency-Key", key));
	}

	@RestController
	static class Sales {

		private final RedisConnectionFactory redis;

		Sales(RedisConnectionFactory redis) {
			this.redis = redis;
		}

		@PostMapping("/flushed")
		@DistributedLocked(name = "sale")
		String flushed() {
			this.redis.getConnection().serverCommands().flushDb();
			return "sold";
		}

		@PostMapping("/rolled-back")
		String rolledBack() {
			throw new LockLostException("sale", "lost", true);
		}

		@PostMapping("/handled")
		String handled() {
			throw new Handled();
		}

		@PostMapping("/once")
		@ApiIdempotent(value = KeySource.HEADER, whenUnknown = WhenUnknown.REJECT)
		@DistributedLocked(name = "sale")
		String once() {
			return flushed();
		}

		@PostMapping("/once-rolled-back")
		@ApiIdempotent(value = KeySource.HEADER, whenUnknown = WhenUnknown.REJECT)
		String onceRolledBack() {
			return rolledBack();
		}

		@ExceptionHandler
		ResponseEntity<String> handled(Handled lost) {
			return ResponseEntity.status(502).body("ours");
		}

	}

	private static final class Handled extends LockLostException {

		private static final long serialVersionUID = 1L;

		Handled() {
			super("sale", "lost");
		}

	}

}
