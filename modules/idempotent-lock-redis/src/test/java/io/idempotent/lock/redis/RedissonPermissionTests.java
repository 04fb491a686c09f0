package io.idempotent.lock.redis;

import java.time.Duration;
import java.util.List;

import io.idempotent.embedded.EmbeddedRedis;
import io.idempotent.lock.LockUnavailableException;
import io.idempotent.lock.engine.LockEngine;
import io.idempotent.lock.engine.LockGrant;
import io.idempotent.lock.engine.LockGrant.GrantState;
import io.idempotent.lock.engine.LockRequest;
import io.idempotent.testing.RedisAcl;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.redisson.api.RedissonClient;
import org.redisson.client.RedisException;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * What a user without a permission meets, and that the documented rule has none too many.
 */
@Timeout(60)
@Tag("slow")
class RedissonPermissionTests {

	private static final Duration LEASE = Duration.ofSeconds(20);

	private static final RedisAcl DOCUMENTED = RedisAcl.of("reference/lock-engines.md");

	@AutoClose
	private static EmbeddedRedis server;

	@AutoClose
	private final TestRedisson clients = TestRedisson.at(server.host(), server.port())
		.asUser(RedisAcl.PASSWORD)
		.impatient();

	@AutoClose
	private final TestRedisson others = TestRedisson.at(server.host(), server.port());

	@BeforeAll
	static void start() {
		server = EmbeddedRedis.start();
	}

	@BeforeEach
	void grant() {
		DOCUMENTED.set(server);
	}

	static List<String> permissions() {
		return DOCUMENTED.permissions();
	}

	@ParameterizedTest
	@MethodSource("permissions")
	void eachPermissionIsNeeded(String permission) throws Exception {
		DOCUMENTED.without(permission).set(server);
		try {
			AllOfALock.use(this.clients.node(), this.clients.node());
		}
		catch (LockUnavailableException ex) {
			assertThat(ex.getMessage()).containsAnyOf("NOPERM", "The user executing the script can't");
		}
		await().untilAsserted(() -> assertThat(RedisAcl.denied(server)).anyMatch(RedisAcl.denialOf(permission)));
	}

	@Test
	void theRuleSufficesWithoutRedisson() throws Exception {
		try (TestRedisson lettuce = this.clients.withoutRedisson()) {
			AllOfALock.use(lettuce.node(), lettuce.node());
		}
		assertThat(RedisAcl.denied(server)).isEmpty();
	}

	@Test
	void aLockOfAnotherApplicationCannotBeTaken() {
		LockEngine engine = this.clients.node();
		for (boolean fair : new boolean[] { false, true }) {
			LockEngine other = TestRedisson.namespaced(new RedissonLockEngine(() -> this.clients.client(engine), ""),
					"crm:lock:");
			assertThatExceptionOfType(LockUnavailableException.class)
				.isThrownBy(() -> other.acquire(request(fair), Duration.ZERO))
				.withMessageContaining("NOPERM");
		}
	}

	@Test
	void theUserCannotAccessLocksOfOtherApplications() throws Exception {
		LockEngine unrestricted = TestRedisson.namespaced(this.others.node(), "crm:lock:");
		LockGrant grant = requireNonNull(unrestricted.acquire(request(false), Duration.ZERO));
		RedissonClient client = this.clients.client(this.clients.node());
		assertDenied(() -> client.getBucket("crm:lock:a").delete());
		assertDenied(() -> client.getMap("crm:lock:a").readAllMap());
		assertDenied(() -> client.getLock("crm:lock:a").forceUnlock());
		assertDenied(() -> client.getAtomicLong("redisson_lock_token:{crm:lock:a}").set(1));
		assertDenied(() -> client.getTopic("redisson_lock__channel:{crm:lock:a}").publish("0"));
		assertThat(grant.release(Duration.ZERO)).isEqualTo(GrantState.HELD);
	}

	@Test
	void aWrongPasswordIsReported() {
		try (TestRedisson strangers = TestRedisson.at(server.host(), server.port()).asUser("wrong").impatient()) {
			LockEngine engine = strangers.node();
			assertThatExceptionOfType(LockUnavailableException.class)
				.isThrownBy(() -> engine.acquire(request(false), Duration.ZERO))
				.withMessageContaining("WRONGPASS");
		}
	}

	@Test
	void aRefusalNamesItsReasonAndAPermissionHelpsAtOnce() throws Exception {
		DOCUMENTED.without("+evalsha").set(server);
		LockEngine engine = this.clients.node();
		assertThatExceptionOfType(LockUnavailableException.class)
			.isThrownBy(() -> engine.acquire(request(false), Duration.ZERO))
			.withMessageContaining("NOPERM this user has no permissions to run the 'evalsha' command")
			.withMessageContaining("permissions of their user (ACL LOG)");
		DOCUMENTED.set(server);
		assertThat(requireNonNull(engine.acquire(request(false), Duration.ZERO)).release(Duration.ZERO))
			.isEqualTo(GrantState.HELD);
	}

	@Test
	void aNameWithAHashTagNeedsItsOwnPatterns() throws Exception {
		LockRequest tagged = new LockRequest("{a}:b", LEASE, true);
		LockEngine engine = this.clients.node();
		assertThatExceptionOfType(LockUnavailableException.class)
			.isThrownBy(() -> engine.acquire(tagged, Duration.ZERO));
		DOCUMENTED.and(List.of("~redisson_lock_*:shop:lock:*", "&redisson_lock__channel:shop:lock:*")).set(server);
		assertThat(requireNonNull(engine.acquire(tagged, Duration.ZERO)).release(Duration.ZERO))
			.isEqualTo(GrantState.HELD);
	}

	private static void assertDenied(ThrowingCallable command) {
		assertThatExceptionOfType(RedisException.class).isThrownBy(command).withMessageStartingWith("NOPERM");
	}

	private static LockRequest request(boolean fair) {
		return new LockRequest("a", LEASE, fair);
	}

}
