package io.idempotent.lock.quorum;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import io.idempotent.embedded.EmbeddedRedis;
import io.idempotent.lock.LockUnavailableException;
import io.idempotent.lock.engine.LockGrant;
import io.idempotent.lock.engine.LockGrant.GrantState;
import io.idempotent.lock.engine.LockRequest;
import io.idempotent.testing.RedisAcl;
import io.idempotent.testing.RedisTalk;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * What a user needs on each server, as {@code docs/reference/quorum-locks.md} says.
 */
@Tag("slow")
@Timeout(60)
class QuorumPermissionTests {

	private static final RedisAcl DOCUMENTED = RedisAcl.of("reference/quorum-locks.md");

	private static final Duration LEASE = Duration.ofSeconds(20);

	private static List<EmbeddedRedis> servers;

	@BeforeAll
	static void start() {
		servers = Stream.generate(EmbeddedRedis::start).limit(3).toList();
	}

	@AfterAll
	static void stopServers() {
		servers.forEach(EmbeddedRedis::close);
	}

	static List<String> permissions() {
		return DOCUMENTED.permissions();
	}

	@Test
	void theRuleSufficesForTheWholeEngine() throws Exception {
		servers.forEach(DOCUMENTED::set);
		useAll();
		// Redisson's question whether this is a Cluster.
		assertThat(servers).allSatisfy((server) -> assertThat(RedisAcl.denied(server)).containsExactly("command eval"));
		assertThat(RedisAcl.keys(servers.get(0))).isNotEmpty().allMatch((key) -> key.startsWith("shop:lock:"));
	}

	@ParameterizedTest
	@MethodSource("permissions")
	void eachPermissionIsNeeded(String permission) throws Exception {
		servers.forEach(DOCUMENTED.without(permission)::set);
		try {
			useAll();
		}
		catch (LockUnavailableException ex) {
			assertThat(ex.getMessage()).containsAnyOf("NOPERM", "The user executing the script can't");
		}
		await().untilAsserted(() -> assertThat(servers)
			.anySatisfy((server) -> assertThat(RedisAcl.denied(server)).anyMatch(RedisAcl.denialOf(permission))));
	}

	@Test
	void aLockOfAnotherApplicationCannotBeTaken() {
		servers.forEach(DOCUMENTED::set);
		try (QuorumLockEngine engine = engine()) {
			assertThatExceptionOfType(LockUnavailableException.class)
				.isThrownBy(() -> engine.acquire(new LockRequest("crm:lock:a", LEASE, false), Duration.ZERO))
				.withMessageContaining("NOPERM");
		}
	}

	private static void useAll() throws Exception {
		LockRequest request = new LockRequest("shop:lock:all:" + System.nanoTime(), LEASE, false);
		ExecutorService thread = Executors.newSingleThreadExecutor();
		try (QuorumLockEngine one = engine(); QuorumLockEngine other = engine()) {
			LockGrant grant = requireNonNull(one.acquire(request, Duration.ZERO));
			// A majority suffices, so that this server may be the last one.
			awaitUnlessDenied("EXISTS " + request.name() + ":quorum", ":1");
			RedisTalk.ask(servers.get(0), "DEL " + request.name() + ":quorum");
			assertThat(other.inspect(request.name()).isHeld()).isTrue();
			assertThat(grant.renew(LEASE)).isEqualTo(GrantState.HELD);
			awaitUnlessDenied("EXISTS " + request.name() + ":quorum", ":1");
			Future<LockGrant> waiting = thread
				.submit(() -> requireNonNull(other.acquire(request, Duration.ofSeconds(10))));
			awaitUnlessDenied("PUBSUB NUMSUB " + request.name() + ":quorum", ":1");
			assertThat(grant.release(Duration.ZERO)).isEqualTo(GrantState.HELD);
			assertThat(granted(waiting).release(Duration.ofMillis(1))).isEqualTo(GrantState.HELD);
		}
		finally {
			thread.shutdownNow();
		}
	}

	private static void awaitUnlessDenied(String question, String reply) {
		await().until(() -> RedisTalk.ask(servers.get(0), question).contains(reply)
				|| RedisAcl.denied(servers.get(0)).stream().anyMatch((denied) -> !denied.equals("command eval")));
	}

	private static LockGrant granted(Future<LockGrant> waiting) throws Exception {
		try {
			return waiting.get(20, TimeUnit.SECONDS);
		}
		catch (ExecutionException ex) {
			throw (ex.getCause() instanceof LockUnavailableException unavailable) ? unavailable : ex;
		}
	}

	private static QuorumLockEngine engine() {
		return new QuorumLockEngine(servers.stream()
			.map((server) -> "redis://" + RedisAcl.USER + ":" + RedisAcl.PASSWORD + "@127.0.0.1:" + server.port())
			.toList(), Duration.ofSeconds(5), "");
	}

}
