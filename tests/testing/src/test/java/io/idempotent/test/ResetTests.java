package io.idempotent.test;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import io.idempotent.IdempotencyTemplate;
import io.idempotent.lock.DistributedLock;
import io.idempotent.lock.DistributedLocks;
import io.idempotent.lock.LockOptions;
import io.idempotent.store.IdempotencyStore;
import io.idempotent.store.OutcomeCache;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Each method runs twice in one context, and finds nothing of what ran before it.
 */
@SpringBootTest(webEnvironment = WebEnvironment.NONE)
@AutoConfigureIdempotency
class ResetTests {

	@Autowired
	private IdempotencyTemplate template;

	@Autowired
	private TestIdempotencyStore store;

	@Autowired
	private DistributedLocks locks;

	@Autowired
	private List<String> runs;

	@BeforeEach
	void theStoreIsEmptyBefore() {
		assertThat(this.store).hasNoRecords();
	}

	@RepeatedTest(2)
	void anOperationIsForgotten() {
		int before = this.runs.size();
		this.template.execute("greet", "ann", Boolean.class, (context) -> this.runs.add("ann"));
		this.template.execute("greet", "ann", Boolean.class, (context) -> this.runs.add("ann"));
		assertThat(this.runs).hasSize(before + 1);
		assertThat(this.store).record("greet").isCompleted().hasAttempt(1);
		assertThat(this.store).hasNoRecordOf("meet");
	}

	@RepeatedTest(2)
	void aLockThatItsThreadKeepsIsFree() {
		DistributedLock lock = this.locks.get("kept");
		assertThat(lock.isHeldByCurrentThread()).isFalse();
		assertThat(lock.tryLock()).isTrue();
		assertThat(lock.holdCount()).isEqualTo(1);
	}

	@RepeatedTest(2)
	void aLockThatAnotherThreadKeepsIsFree() throws Exception {
		assertThat(CompletableFuture.supplyAsync(() -> this.locks.get("abandoned").tryLock()).get(1, TimeUnit.MINUTES))
			.isTrue();
		assertThat(this.locks.get("abandoned").tryLock()).isFalse();
	}

	@RepeatedTest(2)
	void aLockWithAShortestHoldIsFree() {
		LockOptions hour = LockOptions.DEFAULTS.withHoldAtLeast(Duration.ofHours(1));
		DistributedLock lock = this.locks.get("hourly", hour);
		assertThat(lock.tryLock()).isTrue();
		lock.unlock();
		assertThat(lock.tryLock()).isFalse();
	}

	@Test
	void everythingIsInMemory(@Autowired IdempotencyStore store, @Autowired ObjectProvider<OutcomeCache> nearCache) {
		assertThat(store).isSameAs(this.store);
		assertThat(nearCache.getIfAvailable()).isNull();
		assertThat(this.locks.engines()).containsExactly("local");
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Application {

		@Bean
		List<String> runs() {
			return new ArrayList<>();
		}

	}

}
