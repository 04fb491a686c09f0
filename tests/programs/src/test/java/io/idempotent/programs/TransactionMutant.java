package io.idempotent.programs;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

import javax.sql.DataSource;

import io.idempotent.Idempotent;
import io.idempotent.engine.receipt.Effect;
import io.idempotent.engine.receipt.Receipts;
import io.idempotent.function.ThrowingSupplier;
import io.idempotent.jdbc.receipt.ReceiptGuard;
import io.idempotent.jdbc.receipt.ReceiptRegistrar;
import io.idempotent.method.BodyInterceptor;
import io.idempotent.method.internal.call.CallCompletion;
import io.idempotent.method.internal.call.CallExecution;
import io.idempotent.store.OperationKey;
import io.idempotent.store.Outcome;
import io.idempotent.support.AdvisorOrder;
import io.idempotent.support.AnnotatedMethodAdvisor;
import io.idempotent.transaction.TransactionOutcome;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.config.BeanDefinitionCustomizer;
import org.springframework.context.support.GenericApplicationContext;

/**
 * A defect that the library once had, or might have: a collaborator is replaced by one
 * that does not do what was mended.
 */
enum TransactionMutant implements Mutation {

	/** The end of a call is recorded at its return, whatever becomes of transactions. */
	ENDS_AT_ONCE {

		@Override
		public void change(GenericApplicationContext context) {
			context.registerBean(CallCompletion.class, () -> new CallCompletion() {

				@Override
				public void bodyBegins(CallExecution call) {
					// No transaction decides on it.
				}

			});
		}

	},

	/** The transactions of a call are those around it, not those of its body. */
	SCOPE_FROM_THE_OUTER_EDGE {

		@Override
		public void change(GenericApplicationContext context) {
			context.registerBean(CallCompletion.class, () -> new CallCompletion() {

				@Override
				public void bodyBegins(CallExecution call) {
					// Too late: at its end.
				}

				@Override
				public void end(CallExecution call) {
					super.bodyBegins(call);
					super.end(call);
				}

			});
		}

	},

	/** A repeat in the same transaction is not known. */
	REPEATS_UNKNOWN {

		@Override
		public void change(GenericApplicationContext context) {
			context.registerBean(CallCompletion.class, () -> new CallCompletion() {

				@Override
				public @Nullable CallExecution pending(OperationKey key) {
					return null;
				}

			});
		}

	},

	/** The entry of a body is not seen. */
	BODY_UNSEEN {

		@Override
		public void change(GenericApplicationContext context) {
			advise(context, Integer.MAX_VALUE, MethodInvocation::proceed);
		}

	},

	/** The entry of a body is seen before its own transaction has begun. */
	BODY_BEFORE_ITS_TRANSACTION {

		@Override
		public void change(GenericApplicationContext context) {
			advise(context, AdvisorOrder.LOCK + 1, new BodyInterceptor());
		}

	},

	/** Transactions inside of an operation leave no receipt. */
	TRANSACTIONS_UNSEEN {

		@Override
		public void change(GenericApplicationContext context) {
			context.registerBean(ReceiptRegistrar.class,
					() -> new ReceiptRegistrar(new ReceiptGuard(context.getBean(DataSource.class), "idempotent_receipt",
							Duration.ofDays(30), Duration.ofSeconds(5))));
		}

	},

	/** Transactions around an operation leave no receipt. */
	SCOPE_WITHOUT_RECEIPT {

		@Override
		public void change(GenericApplicationContext context) {
			receipts(context, (guard) -> new ChangedReceipts(guard) {

				@Override
				public @Nullable Supplier<TransactionOutcome> join(Effect effect) {
					return null;
				}

			});
		}

	},

	/**
	 * A receipt belongs to the transactions around the call, not to those of its body.
	 */
	RECEIPT_FROM_THE_OUTER_EDGE {

		@Override
		public void change(GenericApplicationContext context) {
			receipts(context, (guard) -> new ChangedReceipts(guard) {

				@Override
				public <T extends @Nullable Object, X extends Throwable> T execute(Effect effect,
						ThrowingSupplier<T, X> work) throws X {
					super.join(effect);
					return super.execute(effect, work);
				}

				@Override
				public @Nullable Supplier<TransactionOutcome> join(Effect effect) {
					return null;
				}

			});
		}

	},

	/** Nobody looks a receipt up. */
	RECEIPTS_NEVER_LOOKED_UP {

		@Override
		public void change(GenericApplicationContext context) {
			receipts(context, (guard) -> new ChangedReceipts(guard) {

				@Override
				public Optional<Receipt> find(OperationKey key) {
					return Optional.empty();
				}

			});
		}

	},

	/** A receipt proves that there was an effect, and nothing more. */
	KEPT_RESULTS_FORGOTTEN {

		@Override
		public void change(GenericApplicationContext context) {
			receipts(context, (guard) -> new ChangedReceipts(guard) {

				@Override
				public Optional<Receipt> find(OperationKey key) {
					return super.find(key).map((found) -> new Receipt(found.owner(), found.attempt(), Outcome.TOMBSTONE,
							found.fingerprint(), found.age()));
				}

			});
		}

	},

	/** The receipt of a rejected request stays. */
	RECEIPTS_NEVER_WITHDRAWN {

		@Override
		public void change(GenericApplicationContext context) {
			receipts(context, (guard) -> new ChangedReceipts(guard) {

				@Override
				public void withdraw(Effect effect) {
					// It stays.
				}

			});
		}

	};

	private static void advise(GenericApplicationContext context, int order, MethodInterceptor interceptor) {
		String name = "io.idempotent.idempotentBodyAdvisor";
		context.addBeanFactoryPostProcessor((beans) -> {
			context.removeBeanDefinition(name);
			context.registerBean(name, AnnotatedMethodAdvisor.class,
					() -> new AnnotatedMethodAdvisor(List.of(Idempotent.class), order, interceptor));
		});
	}

	/**
	 * Stands before the guard, which is there because nobody else is, when it is made.
	 */
	private static void receipts(GenericApplicationContext context, Function<Receipts, Receipts> change) {
		BeanDefinitionCustomizer primary = (definition) -> definition.setPrimary(true);
		context.addBeanFactoryPostProcessor((beans) -> {
			if (beans.getBeanNamesForType(ReceiptGuard.class, true, false).length > 0) {
				context.registerBean("changedReceipts", Receipts.class,
						() -> change.apply(beans.getBean(ReceiptGuard.class)), primary);
			}
		});
	}

	/**
	 * Receipts that are changed.
	 */
	private static class ChangedReceipts implements Receipts {

		private final Receipts target;

		ChangedReceipts(Receipts target) {
			this.target = target;
		}

		@Override
		public Duration retention() {
			return this.target.retention();
		}

		@Override
		public <T extends @Nullable Object, X extends Throwable> T execute(Effect effect, ThrowingSupplier<T, X> work)
				throws X {
			return this.target.execute(effect, work);
		}

		@Override
		public @Nullable Supplier<TransactionOutcome> join(Effect effect) {
			return this.target.join(effect);
		}

		@Override
		public Optional<Receipt> find(OperationKey key) {
			return this.target.find(key);
		}

		@Override
		public void keep(Effect effect, Outcome outcome) {
			this.target.keep(effect, outcome);
		}

		@Override
		public void withdraw(Effect effect) {
			this.target.withdraw(effect);
		}

	}

}
