package io.idempotent.lock.engine;

import java.util.concurrent.TimeUnit;

import io.idempotent.lock.DistributedLock;
import io.idempotent.lock.internal.EngineDistributedLocks;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Two JVMs and what may happen to one of them: a pause longer than the lease, an end in
 * the middle.
 */
@Tag("slow")
@Timeout(120)
@DisabledOnOs(value = OS.WINDOWS, disabledReason = "There are no signals to stop and continue a process")
@ParameterizedClass
@EnumSource
class TwoJvmLockTests {

	private static TestLockServer.Running server;

	private TestLockServer.Client client;

	private EngineDistributedLocks locks;

	private LockHolderProcess other;

	TwoJvmLockTests(TestLockServer kind) {
		assertThat(server.kind()).isEqualTo(kind);
	}

	@BeforeParameterizedClassInvocation
	static void startServer(TestLockServer kind) {
		server = kind.start();
	}

	@AfterParameterizedClassInvocation
	static void stopServer() {
		server.close();
	}

	@BeforeEach
	void start() throws Exception {
		this.other = new LockHolderProcess(server);
		this.client = server.connect();
		this.locks = LockHolderProcess.locks(this.client.engine());
	}

	@AfterEach
	void stop() {
		this.other.close();
		this.locks.close();
		this.client.close();
	}

	@Test
	void twoJvmsExcludeEachOtherAndTokensGrow() throws Exception {
		DistributedLock lock = this.locks.get("shared");
		long last = 0;
		for (int i = 0; i < 3; i++) {
			assertThat(this.other.ask("try shared")).isEqualTo("true");
			assertThat(lock.tryLock()).isFalse();
			long token = Long.parseLong(this.other.ask("token shared"));
			assertThat(this.other.ask("unlock shared")).isEqualTo("unlocked");
			assertThat(lock.tryLock()).isTrue();
			assertThat(this.other.ask("try shared")).isEqualTo("false");
			assertThat(token).isGreaterThan(last).isLessThan(lock.fencingToken());
			last = lock.fencingToken();
			lock.unlock();
		}
	}

	@Test
	void theLockOfAJvmThatWasKilledIsFreeWhenItsLeaseEnds() throws Exception {
		DistributedLock lock = this.locks.get("orphaned");
		assertThat(this.other.ask("lock orphaned")).isEqualTo("true");
		long token = Long.parseLong(this.other.ask("token orphaned"));
		assertThat(lock.tryLock()).isFalse();
		this.other.kill();
		assertThat(lock.tryLock(30, TimeUnit.SECONDS)).isTrue();
		assertThat(lock.fencingToken()).isGreaterThan(token);
		assertThat(lock.isValid()).isTrue();
		lock.unlock();
	}

	@Test
	void aJvmPausedForLongerThanItsLeaseNoticesTheLoss() throws Exception {
		DistributedLock lock = this.locks.get("paused");
		assertThat(this.other.ask("lock paused")).isEqualTo("true");
		long token = Long.parseLong(this.other.ask("token paused"));
		assertThat(this.other.ask("valid paused")).isEqualTo("true");
		this.other.stop();
		assertThat(lock.tryLock(30, TimeUnit.SECONDS)).isTrue();
		// Not before: a signal to stop has arrived some time after it was sent.
		this.other.tell("valid paused");
		this.other.goOn();
		assertThat(this.other.answer()).isEqualTo("false");
		assertThat(this.other.ask("unlock paused")).isEqualTo("lost");
		await().until(() -> this.other.ask("losses paused"), "1"::equals);
		assertThat(lock.isValid()).isTrue();
		assertThat(lock.fencingToken()).isGreaterThan(token);
		assertThat(askWhenConnected("try paused")).isEqualTo("false");
		lock.unlock();
		assertThat(this.other.ask("try paused")).isEqualTo("true");
	}

	/**
	 * A client whose session has ended during the pause needs another one first.
	 */
	private String askWhenConnected(String question) {
		return await().until(() -> this.other.ask(question), (answer) -> !answer.equals("unavailable"));
	}

}
