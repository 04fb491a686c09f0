package io.idempotent.steps.internal;

import java.util.function.Consumer;
import java.util.function.Supplier;

import io.idempotent.function.ThrowingFunction;
import io.idempotent.steps.OperationAbandonedEvent;
import io.idempotent.steps.OperationSteps;
import io.idempotent.steps.StepAdministration.OperationWithSteps;

/** A node whose operation {@code pay} is called again. */
final class ResumableNode implements AutoCloseable {

	final StepsDatabase database = StepsDatabase.h2();

	final StepsNode node = new StepsNode(this.database.dataSource());

	final Provider provider = new Provider();

	/** The bean that is called again. */
	void resume(ThrowingFunction<String, String, RuntimeException> method) {
		resume(() -> new Payments(method));
	}

	void resume(Supplier<?> bean) {
		try {
			this.node.steps()
				.resumable()
				.add("pay", Payments.class.getDeclaredMethod("pay", String.class), Payments.class, bean);
		}
		catch (NoSuchMethodException ex) {
			throw new IllegalStateException(ex);
		}
	}

	/** Fails after its charge. */
	void begin(String key) {
		try {
			this.node.run(key, (steps) -> {
				charge(steps);
				throw new IllegalStateException("The mail server is away");
			});
		}
		catch (IllegalStateException ex) {
			due(key, 0);
		}
	}

	String finish(String key) {
		return this.node.run(key, (steps) -> {
			String charge = charge(steps);
			steps.external("mail", (mailed) -> this.provider.call(mailed, "mail"));
			return charge;
		});
	}

	String charge(OperationSteps steps) {
		return steps.external("charge", String.class, (charged) -> this.provider.call(charged, "charge"));
	}

	void due(String key, int resumptions) {
		this.database.sql()
			.update("update idempotent_operation set resume_at = 1, ended_at = null, resumptions = ? where operation_key = ?",
					resumptions, StepsNode.key(key).digest().bytes());
	}

	void sweep() {
		sweep((event) -> {
		}).sweep();
	}

	ResumptionSweep sweep(Consumer<OperationAbandonedEvent> abandoned) {
		return this.node.resumption(abandoned);
	}

	OperationWithSteps find(String key) {
		return this.node.steps().administration().find(StepsNode.key(key)).orElseThrow();
	}

	@Override
	public void close() {
		this.node.close();
		this.database.close();
	}

	record Payments(ThrowingFunction<String, String, RuntimeException> method) {

		String pay(String key) {
			return this.method.apply(key);
		}

	}

}
