package io.idempotent.contract.lock;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

import io.idempotent.lock.engine.LockEngine;
import io.idempotent.lock.engine.LockGrant;
import io.idempotent.lock.engine.LockGrant.GrantState;
import io.idempotent.lock.engine.LockRequest;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Grants: exclusion, names, owners and fencing tokens.
 */
abstract class LockGrantTests extends LockTests {

	LockGrantTests(LockEngineContract contract) {
		super(contract);
	}

	@Test
	void grantsAFreeLockAndRefusesATakenOne() throws Exception {
		LockGrant grant = require(engine().acquire(request(LEASE), Duration.ZERO));
		assertThat(otherEngine().acquire(request(LEASE), Duration.ZERO)).isNull();
		assertThat(grant.release(Duration.ZERO)).isEqualTo(GrantState.HELD);
		assertThat(require(otherEngine().acquire(request(LEASE), Duration.ZERO)).release(Duration.ZERO))
			.isEqualTo(GrantState.HELD);
	}

	@Test
	void grantsOneOfTwoOwnersOnTheSameClientAndThread() throws Exception {
		LockGrant grant = require(engine().acquire(request(LEASE), Duration.ZERO));
		assertThat(engine().acquire(request(LEASE), Duration.ZERO)).isNull();
		grant.release(Duration.ZERO);
	}

	@Test
	void doesNotConfuseNames() throws Exception {
		LockGrant one = require(engine().acquire(request(LEASE), Duration.ZERO));
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
		LockGrant stale = require(engine().acquire(request(LEASE), Duration.ZERO));
		long token = stale.token();
		stale.release(Duration.ZERO);
		LockGrant next = require(otherEngine().acquire(request(LEASE), Duration.ZERO));
		assertThat(stale.token()).isEqualTo(token).isLessThan(next.token());
		next.release(Duration.ZERO);
	}

	@Test
	void leavesTheNextHolderAloneAfterTheRelease() throws Exception {
		LockGrant stale = require(engine().acquire(request(LEASE), Duration.ZERO));
		stale.release(Duration.ZERO);
		LockGrant next = require(engine().acquire(request(LEASE), Duration.ZERO));
		assertThat(stale.release(Duration.ZERO)).isEqualTo(GrantState.LOST);
		assertThat(stale.release(Duration.ofSeconds(1))).isEqualTo(GrantState.LOST);
		assertThat(stale.renew(LEASE)).isEqualTo(GrantState.LOST);
		assertThat(otherEngine().acquire(request(LEASE), Duration.ZERO)).isNull();
		assertThat(next.renew(LEASE)).isEqualTo(GrantState.HELD);
		assertThat(next.release(Duration.ZERO)).isEqualTo(GrantState.HELD);
	}

	@Test
	void renewsAndReleasesOnAnyThread() throws Exception {
		LockGrant grant = require(engine().acquire(request(LEASE), Duration.ZERO));
		assertThat(inBackground(() -> grant.renew(LEASE)).get(20, TimeUnit.SECONDS)).isEqualTo(GrantState.HELD);
		assertThat(inBackground(() -> grant.release(Duration.ZERO)).get(20, TimeUnit.SECONDS))
			.isEqualTo(GrantState.HELD);
		assertFree();
	}

}
