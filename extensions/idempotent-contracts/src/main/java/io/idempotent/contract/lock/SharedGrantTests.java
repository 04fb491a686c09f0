package io.idempotent.contract.lock;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

import io.idempotent.lock.engine.LockGrant.GrantState;
import io.idempotent.lock.engine.LockGrant;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** Shared grants: exclusion, owners, leases, tokens. */
abstract class SharedGrantTests extends LockTests {

	SharedGrantTests(LockEngineContract contract) {
		super(contract);
	}

	@BeforeEach
	void requireShared() {
		assumeShared();
	}

	@Test
	void sharesALockAmongReadersOfAllNodes() throws Exception {
		LockGrant one = read(engine(), LEASE);
		LockGrant two = read(engine(), LEASE);
		LockGrant three = read(otherEngine(), LEASE);
		for (LockGrant reader : new LockGrant[] { one, two, three }) {
			assertThat(reader.token()).isZero();
			assertThat(reader.renew(LEASE)).isEqualTo(GrantState.HELD);
			assertThat(reader.release(Duration.ZERO)).isEqualTo(GrantState.HELD);
		}
		assertFree();
	}

	@Test
	void refusesAWriterUntilTheLastReaderLeaves() throws Exception {
		LockGrant one = read(engine(), LONG_LEASE);
		LockGrant two = read(otherEngine(), LONG_LEASE);
		assertRefused(engine());
		assertRefused(otherEngine());
		one.release(Duration.ZERO);
		assertRefused(engine());
		assertRefused(otherEngine());
		two.release(Duration.ZERO);
		assertFree();
	}

	@Test
	void refusesReadersWhileAWriterHolds() throws Exception {
		LockGrant writer = take(engine(), LONG_LEASE);
		assertReaderRefused(engine());
		assertReaderRefused(otherEngine());
		writer.release(Duration.ZERO);
		read(otherEngine(), LEASE).release(Duration.ZERO);
	}

	@Test
	void raisesTheTokenOfWritersPastReaders() throws Exception {
		LockGrant first = take(engine(), LEASE);
		first.release(Duration.ZERO);
		read(otherEngine(), LEASE).release(Duration.ZERO);
		LockGrant second = take(otherEngine(), LEASE);
		assertThat(second.token()).isGreaterThan(first.token());
		second.release(Duration.ZERO);
	}

	@Test
	void releasesEachReaderOnce() throws Exception {
		LockGrant gone = read(engine(), LONG_LEASE);
		LockGrant reader = read(engine(), LONG_LEASE);
		assertThat(gone.release(Duration.ZERO)).isEqualTo(GrantState.HELD);
		assertThat(gone.release(Duration.ZERO)).isEqualTo(GrantState.LOST);
		assertThat(gone.renew(LEASE)).isEqualTo(GrantState.LOST);
		assertRefused(otherEngine());
		assertThat(reader.renew(LEASE)).isEqualTo(GrantState.HELD);
		assertThat(reader.release(Duration.ZERO)).isEqualTo(GrantState.HELD);
	}

	@Test
	void leavesTheWriterAfterAReaderAlone() throws Exception {
		LockGrant stale = read(engine(), LEASE);
		stale.release(Duration.ZERO);
		LockGrant writer = take(engine(), LEASE);
		assertThat(stale.release(Duration.ZERO)).isEqualTo(GrantState.LOST);
		assertThat(stale.renew(LEASE)).isEqualTo(GrantState.LOST);
		assertRefused(otherEngine());
		assertThat(writer.release(Duration.ZERO)).isEqualTo(GrantState.HELD);
	}

	@Test
	void endsTheLeaseOfEachReaderByItself() throws Exception {
		assumeLeases();
		LockGrant lost = read(engine(), Duration.ofMillis(300));
		LockGrant reader = read(otherEngine(), LONG_LEASE);
		awaitUntil("the first lease ends", () -> lost.renew(Duration.ofMillis(1)) == GrantState.LOST);
		assertThat(lost.release(Duration.ZERO)).isEqualTo(GrantState.LOST);
		assertThat(reader.renew(LONG_LEASE)).isEqualTo(GrantState.HELD);
		assertRefused(engine());
		reader.release(Duration.ZERO);
		assertFree();
	}

	@Test
	void admitsAWriterAfterAReaderThatDied() throws Exception {
		assumeLeases();
		LockGrant lost = read(engine(), Duration.ofMillis(300));
		read(otherEngine(), LONG_LEASE).release(Duration.ZERO);
		LockGrant writer = require(otherEngine().acquire(request(LEASE), Duration.ofSeconds(10)));
		assertThat(lost.renew(LEASE)).isEqualTo(GrantState.LOST);
		assertThat(lost.release(Duration.ZERO)).isEqualTo(GrantState.LOST);
		assertThat(writer.release(Duration.ZERO)).isEqualTo(GrantState.HELD);
	}

	@Test
	void admitsAReaderAfterAWriterThatDied() throws Exception {
		assumeLeases();
		LockGrant lost = take(engine(), Duration.ofMillis(300));
		LockGrant reader = require(otherEngine().acquire(readRequest(LEASE), Duration.ofSeconds(10)));
		assertThat(lost.renew(LEASE)).isEqualTo(GrantState.LOST);
		assertThat(reader.release(Duration.ZERO)).isEqualTo(GrantState.HELD);
	}

	@Test
	void keepsTheLeasesOfReadersThatAreRenewed() throws Exception {
		LockGrant one = read(engine(), LEASE);
		LockGrant two = read(otherEngine(), LEASE);
		for (int i = 0; i < 7; i++) {
			TimeUnit.MILLISECONDS.sleep(500);
			assertThat(one.renew(LEASE)).isEqualTo(GrantState.HELD);
			assertThat(two.renew(LEASE)).isEqualTo(GrantState.HELD);
			assertRefused(otherEngine());
		}
		one.release(Duration.ZERO);
		two.release(Duration.ZERO);
	}

	@Test
	void keepsOutWritersForAWhileAfterARelease() throws Exception {
		LockGrant reader = read(engine(), LEASE);
		long start = System.nanoTime();
		assertThat(reader.release(Duration.ofMillis(1500))).isEqualTo(GrantState.HELD);
		assertRefused(otherEngine());
		require(otherEngine().acquire(request(LEASE), Duration.ofSeconds(10))).release(Duration.ZERO);
		assertThat(Duration.ofNanos(System.nanoTime() - start)).isGreaterThan(Duration.ofMillis(1400));
	}

}
