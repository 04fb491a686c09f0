package io.idempotent.lock.redis;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class ReplicaCountsTests {

	private static final long REFUSED = 0;

	private final AtomicLong requests = new AtomicLong();

	@Test
	void computesHashSlotsAsRedisDoes() {
		assertThat(ReplicaCounts.slotOf("123456789")).isEqualTo(0x31C3);
		assertThat(ReplicaCounts.slotOf("{user1000}.following")).isEqualTo(ReplicaCounts.slotOf("user1000"));
		assertThat(ReplicaCounts.slotOf("foo{}{bar}")).isNotEqualTo(ReplicaCounts.slotOf("bar"));
	}

	@Test
	void asksOnceForEachSlotUntilAGrantShowsThatTheCountIsWrong() {
		ReplicaCounts counts = new ReplicaCounts(true);
		assertThat(count(counts, "a")).isEqualTo(1);
		assertThat(count(counts, "{a}:b")).isEqualTo(1);
		assertThat(count(counts, "b")).isEqualTo(2);
		counts.requireSynced("a", REFUSED, 1, 2, true);
		assertThat(count(counts, "a")).isEqualTo(3);
		counts.requireSynced("a", REFUSED, 3, 0, true);
		assertThat(count(counts, "a")).isEqualTo(4);
	}

	@Test
	void aReplicaThatHangsIsNotWaitedForAgain() {
		ReplicaCounts counts = new ReplicaCounts(false);
		CompletableFuture<Integer> asked = counts.of("a", () -> CompletableFuture.completedFuture(3L));
		counts.requireSynced("a", REFUSED, asked.join(), 2, true);
		assertThat(count(counts, "a")).isEqualTo(2);
		assertThat(this.requests).hasValue(0);
	}

	private int count(ReplicaCounts counts, String key) {
		return counts.of(key, () -> CompletableFuture.completedFuture(this.requests.incrementAndGet())).join();
	}

}
