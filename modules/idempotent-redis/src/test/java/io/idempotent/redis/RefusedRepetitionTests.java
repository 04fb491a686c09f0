package io.idempotent.redis;

import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

import io.idempotent.Refusal;
import io.idempotent.WhenCompleted;
import io.idempotent.WhenFailed;
import io.idempotent.WhenInProgress;
import io.idempotent.WhenStoreFails;
import io.idempotent.WhenUnknown;
import io.idempotent.contract.store.StoreSubmission;
import io.idempotent.embedded.EmbeddedRedis;
import io.idempotent.engine.Decision;
import io.idempotent.engine.IdempotencyGate;
import io.idempotent.engine.IdempotencyGateBuilder;
import io.idempotent.engine.SubmissionContext;
import io.idempotent.engine.claim.Submission;
import io.idempotent.engine.event.GateListener.Entrance;
import io.idempotent.engine.policy.OperationPolicy;
import io.idempotent.store.ClaimRequest.Admission;
import io.idempotent.store.ClaimResult;
import io.idempotent.store.Fingerprint;
import io.idempotent.store.OperationKey;
import io.idempotent.store.StoreUnavailableException;
import io.idempotent.support.Digest;
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

	/** "The claim is then withdrawn once the store responds." */
	@Test
	void itIsWithdrawn() throws Exception {
		OperationPolicy policy = new OperationPolicy("Orders.create", Duration.ofSeconds(3), Duration.ofHours(24),
				Duration.ofSeconds(1), WhenCompleted.REPLAY, WhenInProgress.REJECT, WhenUnknown.REJECT,
				WhenFailed.RELEASE, WhenStoreFails.REJECT, false, false, "");
		Submission submission = new Submission(OperationKey.of("test", "Orders.create", List.of(), "order 1"),
				"order 1", new Fingerprint(Digest.sha256().add("content").build()), Admission.OPEN, Duration.ZERO);
		try (IdempotencyGate gate = new IdempotencyGateBuilder(this.client.store()).build()) {
			Decision refused = whileTheRepetitionIsRefused(() -> enter(gate, policy, submission));
			assertThat(refused).isEqualTo(new Decision.Refused(Refusal.STORE_UNAVAILABLE));
			TestRedis.sleep(Duration.ofSeconds(10));
			// Nothing has run: the client repeats.
			assertThat(enter(gate, policy, submission)).isInstanceOf(Decision.Run.class);
		}
	}

	private static Decision enter(IdempotencyGate gate, OperationPolicy policy, Submission submission) {
		return gate.enter(Entrance.METHOD, new SubmissionContext(policy), submission, (answer) -> false).decision();
	}

}
