package com.example.shop;

import io.idempotent.test.AutoConfigureIdempotency;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.test.context.junit.jupiter.SpringJUnitConfig;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * A job that requires its lock, called through its bean and past it.
 */
@SpringJUnitConfig(StockTaking.class)
@AutoConfigureIdempotency
class StockTakingBeanTests {

	@Autowired
	private StockTaking job;

	@Test
	void theBeanRunsItUnderTheLock() {
		this.job.run();
		assertThat(this.job.isDone()).isTrue();
	}

	@Test
	void aSelfInvocationIsNoticed() {
		assertThatExceptionOfType(IllegalMonitorStateException.class).isThrownBy(this.job::runUnlocked)
			.withMessageStartingWith("This code must run under the lock 'stock-taking'")
			.withMessageContaining("a call from one method of an object to another locks nothing");
	}

}
