package io.idempotent.contract.lock;

import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

import io.idempotent.lock.engine.LockEngine;
import io.idempotent.lock.engine.LockGrant;
import io.idempotent.lock.engine.LockGrant.GrantState;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/**
 * Exclusive grants that become shared ones.
 */
abstract class DowngradeTests extends LockTests {

	DowngradeTests(LockEngineContract contract) {
		super(contract);
	}

	@BeforeEach
	void requireShared() {
		assumeShared();
	}

	@Test
	void downgradesToASharedGrantOfItsOwn() throws Exception {
		LockGrant writer = require(engine().acquire(request(LONG_LEASE), Duration.ZERO));
		LockGrant reader = require(writer.downgrade());
		assertThat(reader.token()).isZero();
		assertThat(writer.renew(LEASE)).isEqualTo(GrantState.LOST);
		assertThat(writer.release(Duration.ZERO)).isEqualTo(GrantState.LOST);
		assertThat(reader.renew(LEASE)).isEqualTo(GrantState.HELD);
		LockGrant other = require(otherEngine().acquire(readRequest(LEASE), Duration.ZERO));
		assertThat(otherEngine().acquire(request(LEASE), Duration.ZERO)).isNull();
		other.release(Duration.ZERO);
		assertThat(otherEngine().acquire(request(LEASE), Duration.ZERO)).isNull();
		assertThat(reader.release(Duration.ZERO)).isEqualTo(GrantState.HELD);
		assertThat(reader.release(Duration.ZERO)).isEqualTo(GrantState.LOST);
		assertFree();
	}

	@Test
	void downgradesPastNoWriterThatWaits() throws Exception {
		LockGrant writer = require(engine().acquire(request(LONG_LEASE), Duration.ZERO));
		Future<@Nullable LockGrant> next = inBackground(
				() -> otherEngine().acquire(request(LEASE), LockEngine.FOREVER));
		TimeUnit.MILLISECONDS.sleep(300);
		LockGrant reader = require(writer.downgrade());
		TimeUnit.MILLISECONDS.sleep(300);
		assertThat(next.isDone()).isFalse();
		assertThat(reader.renew(LONG_LEASE)).isEqualTo(GrantState.HELD);
		reader.release(Duration.ZERO);
		require(next.get(20, TimeUnit.SECONDS)).release(Duration.ZERO);
	}

	@Test
	void admitsWaitingReadersWithADowngrade() throws Exception {
		LockGrant writer = require(engine().acquire(request(LONG_LEASE), Duration.ZERO));
		Future<@Nullable LockGrant> waiting = inBackground(
				() -> otherEngine().acquire(readRequest(LONG_LEASE), LockEngine.FOREVER));
		TimeUnit.MILLISECONDS.sleep(300);
		assertThat(waiting.isDone()).isFalse();
		LockGrant reader = require(writer.downgrade());
		LockGrant other = require(waiting.get(20, TimeUnit.SECONDS));
		assertThat(reader.release(Duration.ZERO)).isEqualTo(GrantState.HELD);
		assertThat(other.release(Duration.ZERO)).isEqualTo(GrantState.HELD);
	}

	@Test
	void downgradesNothingThatIsLost() throws Exception {
		LockGrant stale = require(engine().acquire(request(LEASE), Duration.ZERO));
		stale.release(Duration.ZERO);
		assertThat(stale.downgrade()).isNull();
		LockGrant next = require(otherEngine().acquire(request(LEASE), Duration.ZERO));
		assertThat(stale.downgrade()).isNull();
		assertThat(next.renew(LEASE)).isEqualTo(GrantState.HELD);
		assertThat(engine().acquire(readRequest(LEASE), Duration.ZERO)).isNull();
		next.release(Duration.ZERO);
	}

	@Test
	void endsTheLeaseOfADowngradedGrant() throws Exception {
		assumeTrue(contract().leasesEndByThemselves(), "This engine has no leases that end by themselves");
		LockGrant writer = require(engine().acquire(request(Duration.ofMillis(400)), Duration.ZERO));
		LockGrant reader = require(writer.downgrade());
		LockGrant next = require(otherEngine().acquire(request(LEASE), Duration.ofSeconds(10)));
		assertThat(reader.renew(LEASE)).isEqualTo(GrantState.LOST);
		assertThat(next.release(Duration.ZERO)).isEqualTo(GrantState.HELD);
	}

	@Test
	void raisesTheTokenPastADowngrade() throws Exception {
		LockGrant writer = require(engine().acquire(request(LEASE), Duration.ZERO));
		require(writer.downgrade()).release(Duration.ZERO);
		LockGrant next = require(otherEngine().acquire(request(LEASE), Duration.ZERO));
		assertThat(next.token()).isGreaterThan(writer.token());
		next.release(Duration.ZERO);
	}

}
