package io.idempotent.steps.internal;

import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;

import javax.sql.DataSource;

import io.idempotent.ApiIdempotent;
import io.idempotent.KeySource;
import io.idempotent.WhenCompleted;
import io.idempotent.WhenFailed;
import io.idempotent.WhenInProgress;
import io.idempotent.WhenStoreFails;
import io.idempotent.WhenUnknown;
import io.idempotent.boot.internal.json.JacksonCallJson;
import io.idempotent.function.ThrowingFunction;
import io.idempotent.jdbc.receipt.ReceiptGuard;
import io.idempotent.jdbc.receipt.ReceiptRegistrar;
import io.idempotent.method.DefaultIdempotencyTemplate;
import io.idempotent.method.internal.call.CallExecutor;
import io.idempotent.method.internal.call.CallOperations;
import io.idempotent.steps.OperationAbandonedEvent;
import io.idempotent.steps.OperationSteps;
import io.idempotent.steps.WhenChanged;
import io.idempotent.store.OperationKey;
import io.idempotent.store.RecordEncryption;
import io.idempotent.store.local.LocalIdempotencyStore;
import io.idempotent.submission.IdempotencyGate;
import io.idempotent.submission.SubmissionContext;
import io.idempotent.submission.policy.DeclaredPolicy;
import io.idempotent.submission.policy.OperationPolicies;
import io.idempotent.submission.policy.OperationPolicy;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.jdbc.datasource.DataSourceTransactionManager;

/**
 * A node whose store knows nothing of other nodes, as if it had lost all records: what is
 * done once is done so on account of the steps.
 */
final class StepsNode implements AutoCloseable {

	static final int MAX_RESULT = 1000;

	static final Duration TIMEOUT = Duration.ofSeconds(5);

	static final int MAX_ATTEMPTS = 2;

	private static final Duration RESUME_AFTER = Duration.ofMillis(1);

	private static final Duration RETENTION = Duration.ofDays(1);

	private final LocalIdempotencyStore store = new LocalIdempotencyStore(100_000);

	private final IdempotencyGate gate;

	private final DefaultIdempotencyTemplate template;

	private final JdbcOperationSteps steps;

	StepsNode(DataSource dataSource) {
		this(dataSource, WhenChanged.REFUSE);
	}

	StepsNode(DataSource dataSource, RecordEncryption encryption) {
		this(dataSource, new DataSourceTransactionManager(dataSource), settings(WhenChanged.REFUSE, encryption),
				Duration.ofSeconds(30), StepObserver.NONE);
	}

	StepsNode(DataSource dataSource, StepObserver observer) {
		this(dataSource, new DataSourceTransactionManager(dataSource), settings(WhenChanged.REFUSE),
				Duration.ofSeconds(30), observer);
	}

	StepsNode(DataSource dataSource, WhenChanged whenChanged) {
		this(dataSource, new DataSourceTransactionManager(dataSource), whenChanged);
	}

	StepsNode(DataSource dataSource, DataSourceTransactionManager manager) {
		this(dataSource, manager, WhenChanged.REFUSE);
	}

	private StepsNode(DataSource dataSource, DataSourceTransactionManager manager, WhenChanged whenChanged) {
		this(dataSource, manager, settings(whenChanged), Duration.ofSeconds(30), StepObserver.NONE);
	}

	/** Without an observer it stands still before calls. */
	private StepsNode(DataSource dataSource, DataSourceTransactionManager manager, StepSettings settings,
			Duration lease, @Nullable StepObserver observer) {
		ReceiptGuard receipts = new ReceiptGuard(dataSource, "idempotent_receipt", RETENTION, TIMEOUT,
				settings.encryption());
		manager.setTransactionExecutionListeners(List.of(new ReceiptRegistrar(receipts)));
		JacksonCallJson json = new JacksonCallJson(JsonMapper.builder().build());
		StandStill still = new StandStill(this.store);
		this.gate = new IdempotencyGate.Builder((observer == null) ? still.store() : this.store).receipts(receipts)
			.build();
		this.template = template(this.gate, json, lease);
		this.steps = new JdbcOperationSteps(dataSource, manager, this.template, json,
				(observer == null) ? still.observer(this.template::current) : observer, settings);
	}

	/** Its process stands still before each call, beyond its lease. */
	static StepsNode standingStillBeforeCalls(DataSource dataSource) {
		return new StepsNode(dataSource, new DataSourceTransactionManager(dataSource), settings(WhenChanged.REFUSE),
				Duration.ofMillis(500), null);
	}

	private static DefaultIdempotencyTemplate template(IdempotencyGate gate, JacksonCallJson json, Duration lease) {
		return new DefaultIdempotencyTemplate(
				new CallExecutor(gate, "test", new CallOperations(new Policies(lease), json, MAX_RESULT, false)));
	}

	static StepSettings settings(WhenChanged whenChanged) {
		return settings(whenChanged, RecordEncryption.NONE);
	}

	static StepSettings settings(WhenChanged whenChanged, RecordEncryption encryption) {
		return new StepSettings("test", "node", RETENTION, TIMEOUT, MAX_RESULT, whenChanged, RESUME_AFTER, MAX_ATTEMPTS,
				encryption);
	}

	static OperationKey key(String text) {
		return OperationKey.of("test", "pay", List.of("call", "text"), text);
	}

	static StepSettings settings(Duration resumeAfter) {
		return new StepSettings("test", "node", RETENTION, TIMEOUT, MAX_RESULT, WhenChanged.REFUSE, resumeAfter,
				MAX_ATTEMPTS, RecordEncryption.NONE);
	}

	JdbcOperationSteps steps() {
		return this.steps;
	}

	ResumptionSweep resumption(Consumer<OperationAbandonedEvent> abandoned) {
		return this.steps.resumption(abandoned, (key) -> this.store.inspect(key).state());
	}

	/** As an annotated method whose argument is the key. */
	<X extends Throwable> String run(String key, ThrowingFunction<OperationSteps, String, X> operation) throws X {
		return run(key, key, operation);
	}

	<X extends Throwable> String run(String key, Object argument, ThrowingFunction<OperationSteps, String, X> operation)
			throws X {
		return this.template.execute("pay", key, String.class, (context) -> {
			if (this.steps.resumable().operations().contains("pay")) {
				this.steps.resumable().entered((SubmissionContext) context, new Object[] { argument });
			}
			return operation.apply(this.steps.of(context));
		});
	}

	@Override
	public void close() {
		this.steps.close();
		this.gate.close();
	}

	private record Policies(Duration lease) implements OperationPolicies {

		@Override
		public OperationPolicy policy(String operation, DeclaredPolicy declared) {
			return new OperationPolicy(operation, this.lease, Duration.ofHours(1), Duration.ofSeconds(1),
					WhenCompleted.REPLAY, WhenInProgress.REJECT, WhenUnknown.RERUN, WhenFailed.RELEASE,
					WhenStoreFails.REJECT, true, false, "");
		}

		@Override
		public KeySource source(String operation, ApiIdempotent annotation) {
			return KeySource.HEADER;
		}

		@Override
		public String resolve(String text) {
			return text;
		}

	}

}
