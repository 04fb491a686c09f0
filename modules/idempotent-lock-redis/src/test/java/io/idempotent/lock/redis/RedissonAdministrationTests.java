package io.idempotent.lock.redis;

import java.time.Duration;
import java.util.Objects;

import io.idempotent.embedded.EmbeddedRedis;
import io.idempotent.lock.LockMode;
import io.idempotent.lock.LockUnavailableException;
import io.idempotent.lock.engine.LockEngine;
import io.idempotent.lock.engine.LockGrant;
import io.idempotent.lock.engine.LockGrant.GrantState;
import io.idempotent.lock.engine.LockHolder;
import io.idempotent.lock.engine.LockRequest;
import io.idempotent.lock.engine.LockState;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.redisson.api.RLock;
import org.redisson.api.RedissonClient;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * What operators see of locks in Redis, beyond the contract of engines.
 */
class RedissonAdministrationTests {

	private static final Duration LEASE = Duration.ofSeconds(20);

	@AutoClose
	private static TestRedisson clients;

	private static RedissonClient client;

	private static LockEngine engine;

	private static LockEngine other;

	private final String name = "administration:" + System.nanoTime();

	@BeforeAll
	static void start() {
		clients = TestRedisson.of(EmbeddedRedis.start());
		client = clients.client(clients.node());
		engine = new RedissonLockEngine(() -> client, "shop@host-1:4711");
		other = clients.node();
	}

	@Test
	void showsTheNodeOfAHolder() throws Exception {
		for (boolean fair : new boolean[] { false, true }) {
			LockGrant grant = take(new LockRequest(this.name, LEASE, fair));
			LockState state = other.inspect(this.name);
			assertThat(state.holders()).singleElement().satisfies((holder) -> {
				assertThat(holder.node()).isEqualTo("shop@host-1:4711");
				assertThat(holder.thisNode()).isFalse();
				assertThat(holder.owner()).startsWith(client.getId() + ":-");
				assertThat(holder.token()).isEqualTo(grant.token());
			});
			assertThat(state.lastToken()).isEqualTo(grant.token());
			assertThat(state.waiters()).isZero();
			assertThat(engine.inspect(this.name).holders().get(0).thisNode()).isTrue();
			grant.release(Duration.ZERO);
		}
	}

	@Test
	void showsTheNodeOfEachReader() throws Exception {
		LockGrant reader = take(new LockRequest(this.name, LEASE, false).withMode(LockMode.READ));
		assertThat(other.inspect(this.name).holders()).singleElement()
			.extracting(LockHolder::node, LockHolder::mode)
			.containsExactly("shop@host-1:4711", LockMode.READ);
		reader.release(Duration.ZERO);
	}

	@Test
	void showsAndReleasesALockOfRedissonItself() {
		RLock lock = client.getLock(this.name);
		lock.lock();
		assertThat(other.inspect(this.name).holders()).singleElement().satisfies((holder) -> {
			assertThat(holder.node()).isNull();
			assertThat(holder.token()).isNull();
			assertThat(holder.owner()).isEqualTo(client.getId() + ":" + Thread.currentThread().getId());
		});
		assertThat(other.forceRelease(this.name)).isTrue();
		assertThat(lock.isLocked()).isFalse();
	}

	@Test
	void showsAndReleasesALockThatIsKept() throws Exception {
		take(new LockRequest(this.name, LEASE, false)).release(LEASE);
		assertThat(other.inspect(this.name).holders()).singleElement()
			.extracting(LockHolder::node)
			.isEqualTo("shop@host-1:4711");
		assertThat(other.forceRelease(this.name)).isTrue();
		assertThat(take(new LockRequest(this.name, LEASE, false)).release(Duration.ZERO)).isEqualTo(GrantState.HELD);
	}

	@Test
	void leavesAKeyThatIsNoLock() {
		client.getBucket(this.name).set("data");
		assertThatExceptionOfType(LockUnavailableException.class).isThrownBy(() -> other.inspect(this.name))
			.withMessageContaining("a key of this name that is no lock");
		assertThatExceptionOfType(LockUnavailableException.class).isThrownBy(() -> other.forceRelease(this.name))
			.withMessageContaining("a key of this name that is no lock");
		client.getBucket(this.name).delete();
		client.getMap(this.name).put("a", "b");
		assertThatExceptionOfType(LockUnavailableException.class).isThrownBy(() -> other.forceRelease(this.name))
			.withMessageContaining("a key of this name that is no lock");
		assertThat(client.getMap(this.name).get("a")).isEqualTo("b");
	}

	@Test
	void leavesNothingBehindButTheToken() throws Exception {
		take(new LockRequest(this.name, LEASE, false));
		other.forceRelease(this.name);
		assertThat(client.getKeys().getKeysStream().filter((key) -> key.contains(this.name)))
			.containsExactly("redisson_lock_token:{" + this.name + "}");
	}

	private static LockGrant take(LockRequest request) throws InterruptedException {
		return Objects.requireNonNull(engine.acquire(request, Duration.ZERO));
	}

}
