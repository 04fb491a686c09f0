package io.idempotent.contract.lock;

import java.time.Duration;

import io.idempotent.lock.engine.LockGrant;
import io.idempotent.lock.engine.LockGrant.GrantState;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/**
 * Grants that are passed on to another thread of the same node.
 */
abstract class LockHandOffTests extends LockTests {

	LockHandOffTests(LockEngineContract contract) {
		super(contract);
	}

	@Test
	void handsOverWithANewTokenAndOwner() throws Exception {
		assumeTrue(contract().passesOn(), "This engine passes nothing on");
		LockGrant first = require(engine().acquire(request(LEASE), Duration.ZERO));
		LockGrant second = require(first.handOff(request(Duration.ofMinutes(1))));
		assertThat(second.token()).isGreaterThan(first.token());
		assertThat(otherEngine().acquire(request(LEASE), Duration.ZERO)).isNull();
		assertThat(first.renew(LEASE)).isEqualTo(GrantState.LOST);
		assertThat(first.release(Duration.ZERO)).isEqualTo(GrantState.LOST);
		assertThat(first.handOff(request(LEASE))).isNull();
		assertThat(second.renew(LEASE)).isEqualTo(GrantState.HELD);
		assertThat(second.release(Duration.ZERO)).isEqualTo(GrantState.HELD);
		LockGrant third = require(otherEngine().acquire(request(LEASE), Duration.ZERO));
		assertThat(third.token()).isGreaterThan(second.token());
		third.release(Duration.ZERO);
	}

	@Test
	void handsOverNothingThatIsLost() throws Exception {
		LockGrant stale = require(engine().acquire(request(LEASE), Duration.ZERO));
		stale.release(Duration.ZERO);
		assertThat(stale.handOff(request(LEASE))).isNull();
		LockGrant next = require(otherEngine().acquire(request(LEASE), Duration.ZERO));
		assertThat(stale.handOff(request(LEASE))).isNull();
		assertThat(next.renew(LEASE)).isEqualTo(GrantState.HELD);
		next.release(Duration.ZERO);
	}

	@Test
	void handsOverWithTheLeaseOfTheNextHolder() throws Exception {
		assumeTrue(contract().passesOn() && contract().leasesEndByThemselves(),
				"This engine passes nothing on, or has no leases");
		LockGrant first = require(engine().acquire(request(Duration.ofMinutes(1)), Duration.ZERO));
		LockGrant second = require(first.handOff(request(Duration.ofMillis(300))));
		LockGrant third = require(otherEngine().acquire(request(LEASE), Duration.ofSeconds(10)));
		assertThat(second.handOff(request(LEASE))).isNull();
		assertThat(second.release(Duration.ZERO)).isEqualTo(GrantState.LOST);
		assertThat(third.release(Duration.ZERO)).isEqualTo(GrantState.HELD);
	}

}
