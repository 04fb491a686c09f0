package io.idempotent.webmvc;

import java.net.http.HttpResponse;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

import io.idempotent.ApiIdempotent;
import io.idempotent.KeySource;
import io.idempotent.embedded.EmbeddedRedis;
import io.idempotent.lock.DistributedLocked;
import io.idempotent.testing.RedisAcl;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * An application whose user may do in Redis what the documentation lets it.
 */
@ExtendWith(OutputCaptureExtension.class)
@Tag("slow")
class AuthorisationTests {

	private static final RedisAcl BOTH = RedisAcl.of("reference/redis-store.md")
		.and(RedisAcl.of("reference/lock-engines.md"));

	private static final List<String> AS_USER = List.of("spring.data.redis.username=" + RedisAcl.USER,
			"idempotent.store.redis.key-prefix=shop:idem:", "idempotent.lock.namespace=shop",
			"idempotent.store.near-cache.enabled=false");

	/** Redisson's question whether this is a Cluster, and the checks of the server. */
	private static final List<String> QUESTIONS = List.of("key test1", "command config|get", "command info",
			"command command|info");

	private EmbeddedRedis redis;

	@BeforeEach
	void startRedis() {
		this.redis = EmbeddedRedis.start();
	}

	@AfterEach
	void stopRedis() {
		this.redis.close();
	}

	@Test
	void storeAndLocksUseTheUserOfSpringDataRedis() {
		BOTH.set(this.redis);
		try (TestServer server = start(RedisAcl.PASSWORD)) {
			String key = TestServer.newKey();
			assertThat(TestServer.text(submit(server, "/sell", key))).isEqualTo("1");
			assertThat(TestServer.isReplayed(submit(server, "/sell", key))).isTrue();
			assertThat(RedisAcl.connectedUsers(this.redis)).hasSizeGreaterThanOrEqualTo(2).containsOnly(RedisAcl.USER);
		}
		assertThat(RedisAcl.denied(this.redis)).isSubsetOf(QUESTIONS);
		assertThat(RedisAcl.keys(this.redis)).isNotEmpty()
			.allMatch((name) -> name.startsWith("shop:idem:") || name.equals("redisson_lock_token:{shop:lock:stock}"));
	}

	@Test
	void aDatabaseAndAClientNameNeedMore() {
		BOTH.and(List.of("+select", "+client|setname")).set(this.redis);
		try (TestServer server = start(RedisAcl.PASSWORD, "spring.data.redis.database=1",
				"spring.data.redis.client-name=shop")) {
			assertThat(submit(server, "/sell", TestServer.newKey()).statusCode()).isEqualTo(200);
		}
		assertThat(RedisAcl.denied(this.redis)).isSubsetOf(QUESTIONS);
	}

	@Test
	void aStoreThatRefusesItsUserIsA503WithTheReasonInTheLog(CapturedOutput output) {
		BOTH.without("+set").set(this.redis);
		try (TestServer server = start(RedisAcl.PASSWORD)) {
			assertStoreUnavailable(server);
		}
		assertThat(output).contains("The store of idempotent operations fails")
			.contains("The user executing the script can't");
	}

	@Test
	void aWrongPasswordIsA503WithTheReasonInTheLog(CapturedOutput output) {
		BOTH.set(this.redis);
		try (TestServer server = start("wrong", "idempotent.lock.engines=local")) {
			assertStoreUnavailable(server);
		}
		assertThat(output).contains("The store of idempotent operations fails")
			.contains("WRONGPASS")
			.doesNotContain("could not be recorded", "may or may not have taken effect");
	}

	private static void assertStoreUnavailable(TestServer server) {
		HttpResponse<byte[]> response = submit(server, "/sell", TestServer.newKey());
		assertThat(response.statusCode()).isEqualTo(503);
		assertThat(TestServer.code(response)).isEqualTo("store-unavailable");
		assertThat(TestServer.text(response)).doesNotContain("user", "password", RedisAcl.USER);
	}

	@Test
	void locksThatAreRefusedAreA503WithTheReasonInTheLog(CapturedOutput output) {
		BOTH.without("+hset").set(this.redis);
		try (TestServer server = start(RedisAcl.PASSWORD)) {
			HttpResponse<byte[]> response = submit(server, "/sell", TestServer.newKey());
			assertThat(response.statusCode()).isEqualTo(503);
			assertThat(TestServer.code(response)).isEqualTo("lock-unavailable");
			assertThat(TestServer.text(response)).doesNotContain("user", RedisAcl.USER);
		}
		assertThat(output).contains("could not take the lock 'shop:lock:stock'")
			.contains("The user executing the script can't");
	}

	private TestServer start(String password, String... more) {
		return TestServer.start(this.redis, Shop.class,
				Stream
					.concat(Stream.concat(AS_USER.stream(), Stream.of("spring.data.redis.password=" + password)),
							Stream.of(more))
					.toArray(String[]::new));
	}

	private static HttpResponse<byte[]> submit(TestServer server, String path, String key) {
		return server.send(server.post(path, "").header("Idempotency-Key", key));
	}

	@RestController
	static class Shop {

		private final AtomicInteger sold = new AtomicInteger();

		@PostMapping("/sell")
		@ApiIdempotent(KeySource.HEADER)
		@DistributedLocked(name = "stock")
		public String sell() {
			return String.valueOf(this.sold.incrementAndGet());
		}

	}

}
