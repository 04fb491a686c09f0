package io.idempotent.steps.internal;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

import io.idempotent.Refusal;
import io.idempotent.SubmissionRefusedException;
import io.idempotent.embedded.EmbeddedRedis;
import io.idempotent.function.ThrowingFunction;
import io.idempotent.method.DefaultIdempotencyTemplate;
import io.idempotent.method.json.JacksonCallJson;
import io.idempotent.steps.OperationSteps;
import io.idempotent.steps.StepVerifier;
import io.idempotent.steps.StepVerifier.Verdict;
import io.idempotent.steps.WhenChanged;
import io.idempotent.steps.internal.StepStore.StepAttempt;
import io.idempotent.store.Fingerprint;
import io.idempotent.store.OperationKey;
import io.idempotent.store.Owner;
import io.idempotent.store.local.LocalIdempotencyStore;
import io.idempotent.submission.IdempotencyGate;
import io.idempotent.testing.RedisAcl;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.data.redis.core.StringRedisTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * External steps without a database, as a user that may do what
 * {@code docs/reference/redis-store.md} lets it. The nodes have no other store in common.
 */
@Timeout(60)
class RedisOperationStepsTests {

	private static final RedisAcl DOCUMENTED = RedisAcl.of("reference/redis-store.md", "+hget");

	private static EmbeddedRedis server;

	private static LettuceConnectionFactory connections;

	private final Provider provider = new Provider();

	private final String key = UUID.randomUUID().toString();

	@AutoClose
	private final Node node = new Node();

	@AutoClose
	private final Node other = new Node();

	@BeforeAll
	static void startServer() {
		server = EmbeddedRedis.start();
		DOCUMENTED.set(server);
		RedisStandaloneConfiguration user = new RedisStandaloneConfiguration(server.host(), server.port());
		user.setUsername(RedisAcl.USER);
		user.setPassword(RedisAcl.PASSWORD);
		connections = new LettuceConnectionFactory(user);
		connections.afterPropertiesSet();
		connections.start();
	}

	@AfterAll
	static void stopServer() {
		connections.destroy();
		server.close();
	}

	@BeforeEach
	void grant() {
		DOCUMENTED.set(server);
	}

	static List<String> permissionsOfSteps() {
		return DOCUMENTED.beyond(RedisAcl.of("reference/redis-store.md"));
	}

	private String pay(OperationSteps steps) {
		String charge = steps.external("charge", String.class, (sent) -> this.provider.call(sent, "charge"));
		steps.external("mail", (sent) -> this.provider.call(sent, "mail"));
		return charge;
	}

	@Test
	void eachStepRunsOnce() {
		assertThat(this.node.run(this.key, this::pay)).isEqualTo("charge 1");
		assertThat(this.other.run(this.key, this::pay)).isEqualTo("charge 1");
		assertThat(this.provider.calls()).hasSize(2).doesNotHaveDuplicates();
	}

	@Test
	void anInterruptedCallIsRepeatedWithItsKey() {
		interrupt();
		assertThat(this.other.run(this.key, this::pay)).isEqualTo("charge 1");
		assertThat(this.provider.calls()).hasSize(3);
		assertThat(this.provider.calls().get(1)).isEqualTo(this.provider.calls().get(0));
	}

	@Test
	void theVerifierOfAnInterruptedCallIsAsked() {
		interrupt();
		assertThat(this.other.run(this.key, (steps) -> charge(steps, (sent) -> new Verdict.Happened<>("seen"))))
			.isEqualTo("seen");
		assertThat(this.node.run(this.key, (steps) -> charge(steps, StepVerifier.none()))).isEqualTo("seen");
		assertThat(this.provider.calls()).hasSize(1);
	}

	@Test
	void aStartThatWasWithdrawnIsForgotten() {
		RedisSteps steps = new RedisSteps(connections, "shop:idem:", Duration.ofMinutes(1));
		OperationKey withdrawn = StepsNode.key(this.key);
		StepAttempt attempt = new StepAttempt(withdrawn, "pay", Fingerprint.of(withdrawn), new Owner(1, 2), "node");
		steps.takeOver(attempt, null);
		assertThat(steps.start(attempt, "charge")).isTrue();
		steps.withdraw(attempt, "charge");
		assertThat(steps.takeOver(attempt, null).orElseThrow()).isEmpty();
		assertThat(steps.start(attempt, "charge")).isTrue();
		assertThat(steps.takeOver(attempt, null).orElseThrow()).hasSize(1);
	}

	@Test
	void anAttemptThatWasTakenOverRecordsNothing() {
		assertRefused(Refusal.IN_PROGRESS,
				() -> this.node.run(this.key, (steps) -> steps.external("charge", String.class, (sent) -> {
					this.other.run(this.key, this::pay);
					return "late";
				})));
		assertThat(this.other.run(this.key, this::pay)).isEqualTo("charge 1");
	}

	@Test
	void anAttemptThatWasTakenOverStartsNothing() {
		assertRefused(Refusal.IN_PROGRESS, () -> this.node.run(this.key, (steps) -> {
			String charge = steps.external("charge", String.class, (sent) -> this.provider.call(sent, "charge"));
			this.other.run(this.key, this::pay);
			steps.external("gift", (sent) -> this.provider.call(sent, "gift"));
			return charge;
		}));
		assertThat(this.provider.effects()).isEqualTo(2);
	}

	@Test
	void afterALossTheCallsAreRepeatedWithTheirKeys() {
		this.node.run(this.key, this::pay);
		new StringRedisTemplate(connections).delete("shop:idem:steps:" + StepsNode.key(this.key).encoded());
		assertThat(this.other.run(this.key, this::pay)).isEqualTo("charge 1");
		assertThat(this.provider.effects()).isEqualTo(2);
	}

	@Test
	void stepsExpire() {
		this.node.run(this.key, this::pay);
		assertThat(new StringRedisTemplate(connections)
			.getExpire("shop:idem:steps:" + StepsNode.key(this.key).encoded(), TimeUnit.SECONDS))
			.isBetween(80_000L, 86_400L);
	}

	@Test
	void aTransactionalStepIsRefused() {
		assertThatIllegalStateException()
			.isThrownBy(
					() -> this.node.run(this.key, (steps) -> steps.transactional("book", String.class, () -> "booked")))
			.withMessageContaining("idempotent.steps.store=guard");
	}

	@Test
	void aCallWhoseResultCannotBeStoredIsNotRepeated() {
		for (Node each : List.of(this.node, this.other)) {
			assertThatException()
				.isThrownBy(() -> each.run(this.key, (steps) -> steps.external("charge", String.class, (sent) -> {
					this.provider.call(sent, "charge");
					return "x".repeat(StepsNode.MAX_RESULT);
				})));
		}
		assertThat(this.provider.calls()).hasSize(1);
	}

	@Test
	void theRuleSufficesForSteps() {
		this.node.run(this.key, this::pay);
		this.other.run(this.key, this::pay);
		assertThat(RedisAcl.denied(server)).isEmpty();
		assertThat(RedisAcl.keys(server)).isNotEmpty().allMatch((name) -> name.startsWith("shop:idem:steps:"));
	}

	@ParameterizedTest
	@MethodSource("permissionsOfSteps")
	@ExtendWith(OutputCaptureExtension.class)
	void eachPermissionIsNeededAndNamedInTheLog(String permission, CapturedOutput output) {
		DOCUMENTED.without(permission).set(server);
		assertRefused(Refusal.STORE_UNAVAILABLE, () -> this.node.run(this.key, this::pay));
		assertThat(RedisAcl.denied(server)).anyMatch(RedisAcl.denialOf(permission));
		assertThat(output).contains("The user executing the script can't run this command");
	}

	@Test
	void withoutRedisNoStepRuns() {
		LettuceConnectionFactory away = new LettuceConnectionFactory("127.0.0.1", 1);
		away.afterPropertiesSet();
		away.start();
		try (Node lonely = new Node(away)) {
			assertRefused(Refusal.STORE_UNAVAILABLE, () -> lonely.run(this.key, this::pay));
		}
		finally {
			away.destroy();
		}
		assertThat(this.provider.calls()).isEmpty();
	}

	@Test
	void anEncryptedResultIsNotReadableAndIsUsed() {
		StepSettings settings = StepsNode.settings(WhenChanged.REFUSE, EncryptedStepsTests.ENCRYPTION);
		try (Node first = new Node(connections, settings); Node second = new Node(connections, settings)) {
			first.run(this.key, (steps) -> charge(steps, StepVerifier.none()));
			String stored;
			try (RedisConnection redis = connections.getConnection()) {
				stored = redis.hashCommands()
					.hGetAll(("shop:idem:steps:" + StepsNode.key(this.key).encoded())
						.getBytes(StandardCharsets.US_ASCII))
					.values()
					.stream()
					.map((value) -> new String(value, StandardCharsets.ISO_8859_1))
					.collect(Collectors.joining());
			}
			assertThat(stored).contains("pay").doesNotContain("charge 1");
			assertThat(second.run(this.key, (steps) -> charge(steps, StepVerifier.none()))).isEqualTo("charge 1");
			assertThat(this.provider.calls()).hasSize(1);
		}
	}

	private void interrupt() {
		assertThatIllegalStateException()
			.isThrownBy(() -> this.node.run(this.key, (steps) -> steps.external("charge", String.class, (sent) -> {
				this.provider.call(sent, "charge");
				throw new IllegalStateException("The connection was reset");
			})));
	}

	private String charge(OperationSteps steps, StepVerifier<String> verifier) {
		return steps.external("charge", String.class, (sent) -> this.provider.call(sent, "charge"), verifier);
	}

	private static void assertRefused(Refusal refusal, Runnable call) {
		assertThatExceptionOfType(SubmissionRefusedException.class).isThrownBy(call::run)
			.satisfies((ex) -> assertThat(ex.refusal()).isEqualTo(refusal));
	}

	/** Its records of operations are its own. */
	private static final class Node implements AutoCloseable {

		private final IdempotencyGate gate = new IdempotencyGate.Builder(new LocalIdempotencyStore(1000)).build();

		private final DefaultIdempotencyTemplate template;

		private final RedisOperationSteps steps;

		Node() {
			this(connections);
		}

		Node(LettuceConnectionFactory redis) {
			this(redis, StepsNode.settings(WhenChanged.REFUSE));
		}

		Node(LettuceConnectionFactory redis, StepSettings settings) {
			JacksonCallJson json = new JacksonCallJson(JsonMapper.builder().build());
			this.template = StepsNode.template(this.gate, json);
			this.steps = new RedisOperationSteps(redis, "shop:idem:", this.template, json, StepObserver.NONE, settings);
		}

		<X extends Throwable> String run(String key, ThrowingFunction<OperationSteps, String, X> operation) throws X {
			return this.template.execute("pay", key, String.class,
					(context) -> operation.apply(this.steps.of(context)));
		}

		@Override
		public void close() {
			this.gate.close();
		}

	}

}
