package io.idempotent.lock.epoch;

import io.idempotent.lock.epoch.Term.EngineWait;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The interrupt that cancels a wait, and those of other origin.
 */
class EngineWaitTests {

	private final Term term = Term.of(1, "first", System.nanoTime() + 60_000_000_000L, System::nanoTime, () -> {
	});

	@AfterEach
	void clear() {
		Thread.interrupted();
	}

	@Test
	void anInterruptThatNoEngineNoticedIsCleared() {
		EngineWait wait = this.term.startWait();
		this.term.drain();
		assertThat(Thread.currentThread().isInterrupted()).isTrue();
		wait.close();
		assertThat(Thread.currentThread().isInterrupted()).isFalse();
	}

	@Test
	void aSwitchThatBeginsAfterAnInterruptWasReportedInterruptsNothingElse() {
		EngineWait wait = this.term.startWait();
		assertThat(wait.wasInterrupted()).isFalse();
		this.term.drain();
		wait.close();
		assertThat(Thread.currentThread().isInterrupted()).isFalse();
	}

	@Test
	void anInterruptBeforeTheWaitIsKept() {
		Thread.currentThread().interrupt();
		this.term.drain();
		EngineWait wait = this.term.startWait();
		assertThat(Thread.interrupted()).as("what the engine notices").isTrue();
		assertThat(wait.wasInterrupted()).isTrue();
		wait.close();
		assertThat(Thread.currentThread().isInterrupted()).isTrue();
	}

	@Test
	void anInterruptBeforeTheWaitIsNotReportedTwice() {
		Thread.currentThread().interrupt();
		EngineWait wait = this.term.startWait();
		assertThat(Thread.interrupted()).as("what the engine notices").isTrue();
		assertThat(wait.wasInterrupted()).isFalse();
		this.term.drain();
		wait.close();
		assertThat(Thread.currentThread().isInterrupted()).isFalse();
	}

}
