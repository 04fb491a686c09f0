package io.idempotent.contract.lock;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

import io.idempotent.lock.engine.LockEngine;
import io.idempotent.lock.engine.LockGrant.GrantState;
import io.idempotent.lock.engine.LockGrant;
import io.idempotent.lock.engine.LockRequest;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/** Grants: exclusion, owners, fencing tokens, leases, and hand-over to another thread. */
abstract class LockGrantTests extends LockTests {

	LockGrantTests(LockEngineContract contract) {
		super(contract);
	}

	@Test
	void grantsAFreeLockAndRefusesATakenOne() throws Exception {
		LockGrant grant = take(engine(), LEASE);
		assertRefused(otherEngine());
		assertThat(grant.release(Duration.ZERO)).isEqualTo(GrantState.HELD);
		assertThat(take(otherEngine(), LEASE).release(Duration.ZERO)).isEqualTo(GrantState.HELD);
	}

	@Test
	void grantsOneOfTwoOwnersOnTheSameClientAndThread() throws Exception {
		LockGrant grant = take(engine(), LEASE);
		assertRefused(engine());
		grant.release(Duration.ZERO);
	}

	@Test
	void doesNotConfuseNames() throws Exception {
		LockGrant one = take(engine(), LEASE);
		LockGrant two = require(engine().acquire(new LockRequest(name() + "/2", LEASE, false), Duration.ZERO));
		LockGrant three = require(
				engine().acquire(new LockRequest(name().toUpperCase(Locale.ROOT), LEASE, false), Duration.ZERO));
		for (LockGrant grant : List.of(one, two, three)) {
			assertThat(grant.release(Duration.ZERO)).isEqualTo(GrantState.HELD);
		}
	}

	@Test
	void keepsNamesOfEveryAlphabetAndLength() throws Exception {
		for (String strange : List.of("订单:42", "a/b\\c..", "..", "%2F*?[x]", "x".repeat(255), "订".repeat(255),
				"ß|'\"`;--")) {
			LockRequest request = new LockRequest(strange, LEASE, false);
			LockGrant grant = require(engine().acquire(request, Duration.ZERO));
			assertThat(otherEngine().acquire(request, Duration.ZERO)).as(strange).isNull();
			assertThat(grant.release(Duration.ZERO)).as(strange).isEqualTo(GrantState.HELD);
		}
	}

	@Test
	void raisesTheTokenWithEveryGrant() throws Exception {
		long last = Long.MIN_VALUE;
		for (int i = 0; i < 20; i++) {
			LockEngine node = (i % 2 == 0) ? engine() : otherEngine();
			LockGrant grant = require(node.acquire(new LockRequest(name(), LEASE, i % 3 == 0), Duration.ZERO));
			assertThat(grant.token()).isGreaterThan(last);
			last = grant.token();
			grant.release(Duration.ZERO);
		}
	}

	@Test
	void keepsTheTokenOfAGrantThatWasFollowedByAnother() throws Exception {
		LockGrant stale = take(engine(), LEASE);
		long token = stale.token();
		stale.release(Duration.ZERO);
		LockGrant next = take(otherEngine(), LEASE);
		assertThat(stale.token()).isEqualTo(token).isLessThan(next.token());
		next.release(Duration.ZERO);
	}

	@Test
	void leavesTheNextHolderAloneAfterTheRelease() throws Exception {
		LockGrant stale = take(engine(), LEASE);
		stale.release(Duration.ZERO);
		LockGrant next = take(engine(), LEASE);
		assertThat(stale.release(Duration.ZERO)).isEqualTo(GrantState.LOST);
		assertThat(stale.release(Duration.ofSeconds(1))).isEqualTo(GrantState.LOST);
		assertThat(stale.renew(LEASE)).isEqualTo(GrantState.LOST);
		assertRefused(otherEngine());
		assertThat(next.renew(LEASE)).isEqualTo(GrantState.HELD);
		assertThat(next.release(Duration.ZERO)).isEqualTo(GrantState.HELD);
	}

	@Test
	void renewsAndReleasesOnAnyThread() throws Exception {
		LockGrant grant = take(engine(), LEASE);
		assertThat(inBackground(() -> grant.renew(LEASE)).get(20, TimeUnit.SECONDS)).isEqualTo(GrantState.HELD);
		assertThat(inBackground(() -> grant.release(Duration.ZERO)).get(20, TimeUnit.SECONDS))
			.isEqualTo(GrantState.HELD);
		assertFree();
	}

	@Test
	void endsALeaseThatIsNotRenewed() throws Exception {
		assumeLeases();
		LockGrant stale = take(engine(), Duration.ofMillis(300));
		LockGrant next = require(otherEngine().acquire(request(LEASE), Duration.ofSeconds(10)));
		assertThat(next.token()).isGreaterThan(stale.token());
		assertThat(stale.renew(LEASE)).isEqualTo(GrantState.LOST);
		assertThat(stale.release(Duration.ZERO)).isEqualTo(GrantState.LOST);
		assertThat(next.release(Duration.ZERO)).isEqualTo(GrantState.HELD);
	}

	@Test
	void keepsALeaseThatIsRenewed() throws Exception {
		LockGrant grant = take(engine(), LEASE);
		assertThat(grant.renew(LONG_LEASE)).isEqualTo(GrantState.HELD);
		TimeUnit.MILLISECONDS.sleep(LEASE.toMillis());
		assertRefused(otherEngine());
		assertThat(grant.renew(LEASE)).isEqualTo(GrantState.HELD);
		assertThat(grant.release(Duration.ZERO)).isEqualTo(GrantState.HELD);
	}

	@Test
	void keepsALockTakenForAWhileAfterItsRelease() throws Exception {
		LockGrant grant = take(engine(), LEASE);
		long start = System.nanoTime();
		assertThat(grant.release(Duration.ofMillis(1500))).isEqualTo(GrantState.HELD);
		assertRefused(otherEngine());
		LockGrant next = require(otherEngine().acquire(request(LEASE), Duration.ofSeconds(10)));
		assertThat(Duration.ofNanos(System.nanoTime() - start)).isGreaterThan(Duration.ofMillis(1400));
		assertThat(next.release(Duration.ZERO)).isEqualTo(GrantState.HELD);
	}

	@Test
	void renewsNothingAfterTheRelease() throws Exception {
		LockGrant grant = take(engine(), LEASE);
		grant.release(Duration.ZERO);
		assertThat(grant.renew(LEASE)).isEqualTo(GrantState.LOST);
		assertFree();
	}

	@Test
	void ignoresALateRenewalOfAReleasedLock() throws Exception {
		LockGrant grant = take(engine(), LEASE);
		grant.release(Duration.ofMillis(300));
		grant.renew(Duration.ofMinutes(1));
		require(otherEngine().acquire(request(LEASE), Duration.ofSeconds(20))).release(Duration.ZERO);
	}

	@Test
	void handsOverWithANewTokenAndOwner() throws Exception {
		assumeTrue(contract().passesOn(), "This engine passes nothing on");
		LockGrant first = take(engine(), LEASE);
		LockGrant second = require(first.handOff(request(Duration.ofMinutes(1))));
		assertThat(second.token()).isGreaterThan(first.token());
		assertRefused(otherEngine());
		assertThat(first.renew(LEASE)).isEqualTo(GrantState.LOST);
		assertThat(first.release(Duration.ZERO)).isEqualTo(GrantState.LOST);
		assertThat(first.handOff(request(LEASE))).isNull();
		assertThat(second.renew(LEASE)).isEqualTo(GrantState.HELD);
		assertThat(second.release(Duration.ZERO)).isEqualTo(GrantState.HELD);
		LockGrant third = take(otherEngine(), LEASE);
		assertThat(third.token()).isGreaterThan(second.token());
		third.release(Duration.ZERO);
	}

	@Test
	void handsOverNothingThatIsLost() throws Exception {
		LockGrant stale = take(engine(), LEASE);
		stale.release(Duration.ZERO);
		assertThat(stale.handOff(request(LEASE))).isNull();
		LockGrant next = take(otherEngine(), LEASE);
		assertThat(stale.handOff(request(LEASE))).isNull();
		assertThat(next.renew(LEASE)).isEqualTo(GrantState.HELD);
		next.release(Duration.ZERO);
	}

	@Test
	void handsOverWithTheLeaseOfTheNextHolder() throws Exception {
		assumeTrue(contract().passesOn() && contract().leasesEndByThemselves(),
				"This engine passes nothing on, or has no leases");
		LockGrant first = take(engine(), Duration.ofMinutes(1));
		LockGrant second = require(first.handOff(request(Duration.ofMillis(300))));
		LockGrant third = require(otherEngine().acquire(request(LEASE), Duration.ofSeconds(10)));
		assertThat(second.handOff(request(LEASE))).isNull();
		assertThat(second.release(Duration.ZERO)).isEqualTo(GrantState.LOST);
		assertThat(third.release(Duration.ZERO)).isEqualTo(GrantState.HELD);
	}

}
