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
import io.idempotent.engine.IdempotencyGate;
import io.idempotent.engine.IdempotencyGateBuilder;
import io.idempotent.engine.SubmissionContext;
import io.idempotent.engine.policy.DeclaredPolicy;
import io.idempotent.engine.policy.OperationPolicies;
import io.idempotent.engine.policy.OperationPolicy;
import io.idempotent.function.ThrowingFunction;
import io.idempotent.jdbc.receipt.ReceiptGuard;
import io.idempotent.jdbc.receipt.ReceiptRegistrar;
import io.idempotent.method.DefaultIdempotencyTemplate;
import io.idempotent.method.internal.call.CallCompletion;
import io.idempotent.method.internal.call.CallExecutor;
import io.idempotent.method.internal.call.CallOperations;
import io.idempotent.method.json.JacksonCallJson;
import io.idempotent.steps.OperationAbandonedEvent;
import io.idempotent.steps.OperationSteps;
import io.idempotent.steps.WhenChanged;
import io.idempotent.store.OperationKey;
import io.idempotent.store.local.LocalIdempotencyStore;
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

	StepsNode(DataSource dataSource, WhenChanged whenChanged) {
		this(dataSource, new DataSourceTransactionManager(dataSource), whenChanged);
	}

	StepsNode(DataSource dataSource, DataSourceTransactionManager manager) {
		this(dataSource, manager, WhenChanged.REFUSE);
	}

	private StepsNode(DataSource dataSource, DataSourceTransactionManager manager, WhenChanged whenChanged) {
		ReceiptGuard receipts = new ReceiptGuard(dataSource, "idempotent_receipt", RETENTION, TIMEOUT);
		manager.setTransactionExecutionListeners(List.of(new ReceiptRegistrar(receipts)));
		JacksonCallJson json = new JacksonCallJson(JsonMapper.builder().build());
		this.gate = new IdempotencyGateBuilder(this.store).receipts(receipts).build();
		this.template = template(this.gate, json);
		this.steps = new JdbcOperationSteps(dataSource, manager, this.template, json, StepObserver.NONE,
				settings(whenChanged));
	}

	static DefaultIdempotencyTemplate template(IdempotencyGate gate, JacksonCallJson json) {
		return new DefaultIdempotencyTemplate(new CallOperations(new Policies(), json, MAX_RESULT, false),
				new CallExecutor(gate, "test", new CallCompletion(), json));
	}

	static StepSettings settings(WhenChanged whenChanged) {
		return new StepSettings("test", "node", RETENTION, TIMEOUT, MAX_RESULT, whenChanged, RESUME_AFTER,
				MAX_ATTEMPTS);
	}

	static OperationKey key(String text) {
		return OperationKey.of("test", "pay", List.of("call", "text"), text);
	}

	JdbcOperationSteps steps() {
		return this.steps;
	}

	ResumptionSweep resumption(Consumer<OperationAbandonedEvent> abandoned) {
		return this.steps.resumption(abandoned, (key) -> this.store.inspect(key).state());
	}

	/** As an annotated method whose argument is the key. */
	<X extends Throwable> String run(String key, ThrowingFunction<OperationSteps, String, X> operation) throws X {
		return this.template.execute("pay", key, String.class, (context) -> {
			((SubmissionContext) context).calledWith(key);
			return operation.apply(this.steps.of(context));
		});
	}

	@Override
	public void close() {
		this.steps.close();
		this.gate.close();
	}

	private static final class Policies implements OperationPolicies {

		@Override
		public OperationPolicy policy(String operation, DeclaredPolicy declared) {
			return new OperationPolicy(operation, Duration.ofSeconds(30), Duration.ofHours(1), Duration.ofSeconds(1),
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
