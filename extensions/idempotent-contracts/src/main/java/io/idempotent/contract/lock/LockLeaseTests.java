package io.idempotent.contract.lock;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

import io.idempotent.lock.engine.LockGrant;
import io.idempotent.lock.engine.LockGrant.GrantState;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/**
 * Leases that end, are renewed or outlast the release.
 */
abstract class LockLeaseTests extends LockTests {

	LockLeaseTests(LockEngineContract contract) {
		super(contract);
	}

	@Test
	void endsALeaseThatIsNotRenewed() throws Exception {
		assumeTrue(contract().leasesEndByThemselves(), "This engine has no leases that end by themselves");
		LockGrant stale = require(engine().acquire(request(Duration.ofMillis(300)), Duration.ZERO));
		LockGrant next = require(otherEngine().acquire(request(LEASE), Duration.ofSeconds(10)));
		assertThat(next.token()).isGreaterThan(stale.token());
		assertThat(stale.renew(LEASE)).isEqualTo(GrantState.LOST);
		assertThat(stale.release(Duration.ZERO)).isEqualTo(GrantState.LOST);
		assertThat(next.release(Duration.ZERO)).isEqualTo(GrantState.HELD);
	}

	@Test
	void keepsALeaseThatIsRenewed() throws Exception {
		LockGrant grant = require(engine().acquire(request(Duration.ofMillis(600)), Duration.ZERO));
		for (int i = 0; i < 10; i++) {
			TimeUnit.MILLISECONDS.sleep(120);
			assertThat(grant.renew(Duration.ofMillis(600))).isEqualTo(GrantState.HELD);
			assertThat(otherEngine().acquire(request(LEASE), Duration.ZERO)).isNull();
		}
		assertThat(grant.release(Duration.ZERO)).isEqualTo(GrantState.HELD);
	}

	@Test
	void keepsALockTakenForAWhileAfterItsRelease() throws Exception {
		LockGrant grant = require(engine().acquire(request(LEASE), Duration.ZERO));
		assertThat(grant.release(Duration.ofMillis(700))).isEqualTo(GrantState.HELD);
		long start = System.nanoTime();
		assertThat(otherEngine().acquire(request(LEASE), Duration.ZERO)).isNull();
		LockGrant next = require(otherEngine().acquire(request(LEASE), Duration.ofSeconds(10)));
		assertThat(Duration.ofNanos(System.nanoTime() - start)).isGreaterThan(Duration.ofMillis(500));
		assertThat(next.release(Duration.ZERO)).isEqualTo(GrantState.HELD);
	}

	@Test
	void renewsNothingAfterTheRelease() throws Exception {
		LockGrant grant = require(engine().acquire(request(LEASE), Duration.ZERO));
		grant.release(Duration.ZERO);
		assertThat(grant.renew(LEASE)).isEqualTo(GrantState.LOST);
		assertFree();
	}

	@Test
	void ignoresALateRenewalOfAReleasedLock() throws Exception {
		LockGrant grant = require(engine().acquire(request(LEASE), Duration.ZERO));
		grant.release(Duration.ofMillis(300));
		grant.renew(Duration.ofMinutes(1));
		require(otherEngine().acquire(request(LEASE), Duration.ofSeconds(20))).release(Duration.ZERO);
	}

}
