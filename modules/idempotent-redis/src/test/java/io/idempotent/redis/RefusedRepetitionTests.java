package io.idempotent.redis;

import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

import io.idempotent.contract.store.StoreSubmission;
import io.idempotent.embedded.EmbeddedRedis;
import io.idempotent.store.ClaimResult;
import io.idempotent.store.StoreUnavailableException;
import io.idempotent.testing.FaultyProxy;
import io.idempotent.testing.RedisTalk;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import org.springframework.data.redis.connection.RedisStandaloneConfiguration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

/**
 * Redis executes a claim, the connection breaks before the reply, Lettuce connects and
 * sends the claim again, and Redis is busy (as well it could be loading its data, or its
 * cluster could be down): it refuses the repetition, and scripts too.
 */
@Tag("slow")
@Timeout(60)
class RefusedRepetitionTests {

	private static final Duration PATIENCE = Duration.ofSeconds(10);

	private final EmbeddedRedis redis = EmbeddedRedis.start("--lua-time-limit", "1");

	private final FaultyProxy network = new FaultyProxy(this.redis.host(), this.redis.port());

	private final TestStore client = new TestStore(new RedisStandaloneConfiguration("127.0.0.1", this.network.port()),
			PATIENCE, PATIENCE);

	private Socket script;

	@BeforeEach
	void connect() {
		StoreSubmission.to(this.client.store()).granted();
	}

	@AfterEach
	void close() {
		this.client.close();
		this.network.close();
		this.redis.close();
	}

	/** Until {@link #free()}. */
	private void busy() throws IOException {
		this.script = new Socket(this.redis.host(), this.redis.port());
		this.script.getOutputStream().write("EVAL \"while true do end\" 0\r\n".getBytes(StandardCharsets.US_ASCII));
		await().until(() -> RedisTalk.ask(this.redis, "GET x").startsWith("-BUSY"));
	}

	private void free() throws IOException {
		RedisTalk.tell(this.redis, "SCRIPT KILL");
		this.script.close();
	}

	private <T> T whileTheRepetitionIsRefused(Supplier<T> claim) throws Exception {
		long before = size();
		this.network.freezeReplies();
		CompletableFuture<T> result = CompletableFuture.supplyAsync(claim);
		await().until(() -> size() == before + 1);
		this.network.partition();
		busy();
		this.network.thawReplies();
		this.network.heal();
		try {
			return result.get(30, TimeUnit.SECONDS);
		}
		finally {
			free();
		}
	}

	private long size() {
		return Long.parseLong(RedisTalk.ask(this.redis, "DBSIZE").substring(1).strip());
	}

	@Test
	void aClaimWhoseRepetitionIsRefusedMayHaveTakenEffect() throws Exception {
		StoreSubmission submission = StoreSubmission.to(this.client.store());
		StoreUnavailableException failure = whileTheRepetitionIsRefused(
				() -> catchThrowableOfType(StoreUnavailableException.class, submission::claim));
		assertThat(submission.again().claim()).isInstanceOf(ClaimResult.InProgress.class);
		assertThat(failure).hasMessageContaining("BUSY");
		assertThat(failure.mayHaveTakenEffect()).as(failure.getMessage()).isTrue();
	}

}
