package io.idempotent.redis;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

import io.idempotent.contract.store.StoreSubmission;
import io.idempotent.embedded.EmbeddedRedis;
import io.idempotent.store.ClaimRequest;
import io.idempotent.store.ClaimResult;
import io.idempotent.store.ClaimResult.Granted;
import io.idempotent.testing.FaultyProxy;
import io.idempotent.testing.RedisMonitor;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import org.springframework.data.redis.connection.RedisStandaloneConfiguration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Many claims at once, over a network that can be made to fail.
 */
@Timeout(60)
class RedisBatchTests {

	private static final int CLAIMS = 200;

	private final EmbeddedRedis redis = EmbeddedRedis.start();

	private final FaultyProxy network = new FaultyProxy(this.redis.host(), this.redis.port());

	private final TestStore client = new TestStore(new RedisStandaloneConfiguration("127.0.0.1", this.network.port()),
			TestStore.PATIENCE, TestStore.PATIENCE);

	private final List<StoreSubmission> submissions = Stream.generate(() -> StoreSubmission.to(this.client.store()))
		.limit(CLAIMS)
		.toList();

	@BeforeEach
	void connect() {
		StoreSubmission.to(this.client.store()).granted();
	}

	@AfterEach
	void stop() {
		this.client.close();
		this.network.close();
		this.redis.close();
	}

	@Test
	void allClaimsAreSentBeforeTheFirstReply() {
		try (RedisMonitor monitor = RedisMonitor.of(this.redis)) {
			this.network.freezeReplies();
			CompletableFuture<List<@Nullable ClaimResult>> results = CompletableFuture.supplyAsync(this::claimAll);
			int[] arrived = { 0 };
			await().until(() -> (arrived[0] += monitor.commands().getOrDefault("set", 0)) == CLAIMS);
			assertThat(results).isNotDone();
			this.network.thawReplies();
			assertThat(results.join()).hasSize(CLAIMS).containsOnly(new Granted(1, false));
		}
	}

	@Test
	void claimsWhoseRepliesWereLostAreRecognized() {
		this.network.dropNextReply();
		// The client sends the commands again, which find their own claims.
		assertThat(claimAll()).containsNull();
		assertThat(this.submissions).extracting(StoreSubmission::claim).containsOnly(new Granted(1, false));
	}

	@Test
	void aServerThatHasNotShownItsValuesIsAskedOneByOne() {
		try (TestStore fresh = new TestStore(new RedisStandaloneConfiguration(this.redis.host(), this.redis.port()))) {
			List<@Nullable ClaimResult> results = fresh.store().claimAll(requests());
			assertThat(results).hasSize(CLAIMS).containsOnlyNulls();
		}
	}

	private List<@Nullable ClaimResult> claimAll() {
		return this.client.store().claimAll(requests());
	}

	private List<ClaimRequest> requests() {
		return this.submissions.stream().map(StoreSubmission::request).toList();
	}

}
