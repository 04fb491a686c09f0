package io.idempotent.lock.quorum;

import java.time.Duration;
import java.util.Objects;

import io.idempotent.lock.LockUnavailableException;
import io.idempotent.lock.engine.LockGrant;
import io.idempotent.lock.engine.LockGrant.GrantState;
import io.idempotent.lock.engine.LockRequest;
import io.idempotent.testing.RedisTalk;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * What operators see of locks on a quorum of servers, beyond the contract of engines.
 */
@Tag("slow")
class QuorumAdministrationTests {

	private static final Duration LEASE = Duration.ofSeconds(20);

	private final FiveServers five = FiveServers.start();

	private final QuorumLockEngine engine = new QuorumLockEngine(this.five.urls(), Duration.ofSeconds(5), "node-1");

	private final QuorumLockEngine other = new QuorumLockEngine(this.five.urls(), Duration.ofSeconds(5), "node-2");

	@AfterEach
	void close() {
		this.engine.close();
		this.other.close();
		this.five.close();
	}

	@Test
	void showsTheNodeOfAHolderWhileTwoServersAreAway() throws Exception {
		LockGrant grant = take();
		this.five.server(0).stop();
		this.five.server(3).stop();
		assertThat(this.other.inspect("a").holders()).singleElement().satisfies((holder) -> {
			assertThat(holder.node()).isEqualTo("node-1");
			assertThat(holder.thisNode()).isFalse();
			assertThat(holder.token()).isEqualTo(grant.token());
			assertThat(holder.leaseLeft()).isPositive().isLessThanOrEqualTo(LEASE.plusSeconds(1));
		});
		assertThat(this.engine.inspect("a").holders().get(0).thisNode()).isTrue();
		assertThat(this.other.forceRelease("a")).isTrue();
		assertThat(grant.renew(LEASE)).isEqualTo(GrantState.LOST);
	}

	@Test
	void leavesWhatAMinorityHasGranted() {
		for (int i = 0; i < 2; i++) {
			RedisTalk.ask(this.five.server(i), "SET a:quorum someone:1:node-3 PX 60000");
		}
		assertThat(this.other.inspect("a").isHeld()).isFalse();
		assertThat(this.other.forceRelease("a")).isFalse();
		assertThat(RedisTalk.ask(this.five.server(0), "GET a:quorum")).contains("someone:1:node-3");
	}

	@Test
	void failsWithoutAMajority() throws Exception {
		take();
		for (int i = 0; i < 3; i++) {
			this.five.server(i).stop();
		}
		assertThatExceptionOfType(LockUnavailableException.class).isThrownBy(() -> this.other.inspect("a"))
			.withMessageContaining("could not inspect the lock 'a'");
		assertThatExceptionOfType(LockUnavailableException.class).isThrownBy(() -> this.other.forceRelease("a"));
	}

	private LockGrant take() throws InterruptedException {
		return Objects.requireNonNull(this.engine.acquire(new LockRequest("a", LEASE, false), Duration.ZERO));
	}

}
