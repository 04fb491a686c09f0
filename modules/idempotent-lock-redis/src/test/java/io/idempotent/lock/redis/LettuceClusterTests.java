package io.idempotent.lock.redis;

import java.time.Duration;
import java.util.List;

import io.idempotent.lock.engine.InterruptibleWait;
import io.idempotent.testing.RedisCluster;
import io.idempotent.testing.RedisTalk;
import io.lettuce.core.cluster.SlotHash;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Subscriptions to a Cluster that changes.
 */
@Tag("slow")
@Timeout(120)
class LettuceClusterTests {

	private final RedisCluster cluster = RedisCluster.start();

	private final TestRedisson clients = TestRedisson.of(this.cluster);

	private final LettuceTransport transport = new LettuceTransport(this.clients.factory());

	private final LockKeys keys = new LockKeys("stock");

	private ReleaseSubscription subscription;

	@BeforeEach
	void begin() {
		// Each attempt to take the lock connects before its wait.
		assertThat(this.transport.number("stock", ReplicaCounts.SCRIPT, List.of("stock")))
			.succeedsWithin(Duration.ofSeconds(20));
		this.subscription = new ReleaseSubscription(new LockClient("redis", this.transport, ""), this.keys.channel());
		InterruptibleWait.uninterruptibly((waiting) -> {
			boolean subscribed = this.subscription.begin(Duration.ofSeconds(20).toNanos(), waiting);
			// The server's confirmation may arrive after the wait has begun.
			this.subscription.await(Duration.ofSeconds(2).toNanos(), waiting);
			return subscribed;
		});
		assertThat(this.subscription.isActive()).isTrue();
	}

	@AfterEach
	void close() {
		this.subscription.close();
		this.transport.close();
		this.clients.close();
	}

	@Test
	void isInactiveWhenTheServerOfItsChannelDies() {
		this.cluster.killMasterOf(this.keys.channel());
		await().until(() -> !this.subscription.isActive());
	}

	@Test
	void isInactiveWhenTheSlotOfItsChannelLeavesTheServer() {
		RedisTalk.tell(this.cluster.masterOf(this.keys.channel()),
				"CLUSTER DELSLOTS " + SlotHash.getSlot(this.keys.channel()));
		await().until(() -> !this.subscription.isActive());
	}

}
