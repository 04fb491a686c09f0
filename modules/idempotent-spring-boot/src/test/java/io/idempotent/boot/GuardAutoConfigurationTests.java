package io.idempotent.boot;

import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;

import javax.sql.DataSource;

import io.idempotent.engine.receipt.Effect;
import io.idempotent.engine.receipt.Receipts;
import io.idempotent.function.ThrowingSupplier;
import io.idempotent.jdbc.GuardPurge;
import io.idempotent.jdbc.receipt.ReceiptGuard;
import io.idempotent.jdbc.receipt.ReceiptRegistrar;
import io.idempotent.lock.fence.FenceGuard;
import io.idempotent.store.OperationKey;
import io.idempotent.store.Outcome;
import io.idempotent.testing.TestDatabase;
import io.idempotent.transaction.TransactionOutcome;
import org.junit.jupiter.api.Test;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;

class GuardAutoConfigurationTests {

	private final TestDatabase database = TestDatabase.h2();

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(GuardAutoConfiguration.class))
		.withBean(DataSource.class, this.database::dataSource)
		.withPropertyValues("idempotent.guard.enabled=true");

	@Test
	void nothingIsGuardedUnlessAskedFor() {
		this.runner.withPropertyValues("idempotent.guard.enabled=false")
			.run((context) -> assertThat(context).doesNotHaveBean(FenceGuard.class).doesNotHaveBean(Receipts.class));
	}

	@Test
	void receiptsMayBeLeftOut() {
		this.runner.withPropertyValues("idempotent.guard.receipt.enabled=false")
			.run((context) -> assertThat(context).hasSingleBean(FenceGuard.class)
				.doesNotHaveBean(Receipts.class)
				.doesNotHaveBean(GuardPurge.class)
				.doesNotHaveBean(ReceiptRegistrar.class));
	}

	@Test
	void theGuardIsFullyConfigured() {
		this.runner.run((context) -> assertThat(context).hasSingleBean(ReceiptGuard.class)
			.hasSingleBean(GuardPurge.class)
			.hasSingleBean(ReceiptRegistrar.class));
	}

	@Test
	void receiptsOfTheApplicationReplaceTheDefault() {
		this.runner.withBean(Receipts.class, OwnReceipts::new)
			.run((context) -> assertThat(context).hasSingleBean(Receipts.class)
				.hasSingleBean(FenceGuard.class)
				.doesNotHaveBean(GuardPurge.class)
				.doesNotHaveBean(ReceiptRegistrar.class));
	}

	private static final class OwnReceipts implements Receipts {

		@Override
		public Duration retention() {
			return Duration.ofDays(30);
		}

		@Override
		public <T, X extends Throwable> T execute(Effect effect, ThrowingSupplier<T, X> work) throws X {
			return work.get();
		}

		@Override
		public Supplier<TransactionOutcome> join(Effect effect) {
			return null;
		}

		@Override
		public Optional<Receipt> find(OperationKey key) {
			return Optional.empty();
		}

		@Override
		public void keep(Effect effect, Outcome outcome) {
		}

		@Override
		public void withdraw(Effect effect) {
		}

	}

}
