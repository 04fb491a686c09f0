package io.idempotent.health.autoconfigure;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.function.BooleanSupplier;

import io.idempotent.WhenStoreFails;
import io.idempotent.boot.internal.start.BeanMethods;
import io.idempotent.boot.internal.store.StoreTypes;
import io.idempotent.boot.settings.Namespace;
import io.idempotent.lock.DistributedLocks;
import io.idempotent.lock.administration.SwitchControl;
import io.idempotent.lock.fence.FenceGuard;
import io.idempotent.lock.internal.EngineDistributedLocks;
import io.idempotent.store.IdempotencyStore;
import io.idempotent.store.OperationKey;
import io.idempotent.submission.IdempotencyGate;
import io.idempotent.submission.receipt.Receipts;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.annotation.Order;
import org.springframework.core.env.Environment;
import org.springframework.util.function.SingletonSupplier;

/**
 * The checks of what the application has.
 */
@Configuration(proxyBeanMethods = false)
public class HealthChecksConfiguration {

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(IdempotencyGate.class)
	@ConditionalOnBean({ IdempotencyGate.class, IdempotencyStore.class })
	static class StoreHealthConfiguration {

		private static final Duration KEY_LIFE = Duration.ofSeconds(1);

		/**
		 * Issues a key that is never claimed and expires after a second: a Redis that is
		 * full, or has become a replica, does not accept it and is not healthy.
		 */
		@Bean(HealthCheck.STORE)
		HealthCheck storeHealthCheck(IdempotencyGate gate, IdempotencyStore store, Environment environment) {
			OperationKey key = OperationKey.of(Namespace.in(environment), "idempotent-health", List.of(), "");
			ProbeHealth probe = new ProbeHealth("idempotent-store-health",
					Executors.callable(() -> gate.checkStore(key, KEY_LIFE)));
			String consequence = consequence(environment);
			String type = StoreTypes.of(store);
			return () -> {
				HealthReport report = new HealthReport().with("store", type);
				probe.check(report, consequence);
				int pendingWrites = gate.status().pendingWrites();
				if (pendingWrites > 0) {
					report.with("pendingWrites", pendingWrites);
				}
				return report;
			};
		}

		private static String consequence(Environment environment) {
			boolean refuses = environment.getProperty("idempotent.defaults.when-store-fails", WhenStoreFails.class,
					WhenStoreFails.REJECT) == WhenStoreFails.REJECT;
			String refused = "Submissions are refused with 503 store-unavailable where whenStoreFails is REJECT"
					+ (refuses ? " (the default here)" : "");
			String unprotected = "run without protection where it is PROCEED" + (refuses ? "" : " (the default here)");
			return refused + ", and " + unprotected + ". The outcomes of operations that run are written later";
		}

	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnBooleanProperty("idempotent.guard.enabled")
	static class GuardHealthConfiguration {

		/** Nested classes are registered first, so the condition sees their checks. */
		@Bean(HealthCheck.GUARD)
		@ConditionalOnBean(GuardCheck.class)
		HealthCheck guardHealthCheck(ObjectProvider<GuardCheck> checks) {
			SingletonSupplier<List<GuardCheck>> guards = SingletonSupplier
				.of(() -> checks.orderedStream().filter((guard) -> guard.used().getAsBoolean()).toList());
			ProbeHealth probe = new ProbeHealth("idempotent-guard-health",
					Executors.callable(() -> guards.obtain().forEach((guard) -> guard.statement().run())));
			return () -> {
				HealthReport report = new HealthReport().with("guards",
						guards.obtain().stream().map(GuardCheck::name).toList());
				probe.check(report, "Transactions of operations that leave a receipt, and of fenced locks, are rolled "
						+ "back; unknown outcomes are not resolved by receipts");
				return report;
			};
		}

		@Configuration(proxyBeanMethods = false)
		@ConditionalOnClass(Receipts.class)
		@ConditionalOnBean(Receipts.class)
		static class ReceiptCheckConfiguration {

			@Bean("io.idempotent.receiptHealthCheck")
			@Order(1)
			GuardCheck receiptHealthCheck(Receipts receipts, Environment environment) {
				OperationKey key = OperationKey.of(Namespace.in(environment), "idempotent-health", List.of(), "");
				return new GuardCheck("receipts", () -> true, () -> receipts.check(key));
			}

		}

		@Configuration(proxyBeanMethods = false)
		@ConditionalOnClass(FenceGuard.class)
		@ConditionalOnBean(FenceGuard.class)
		static class FenceCheckConfiguration {

			/** An application without fenced methods may omit the table. */
			@Bean("io.idempotent.fenceHealthCheck")
			@Order(2)
			GuardCheck fenceHealthCheck(FenceGuard guard, ConfigurableListableBeanFactory beans) {
				return new GuardCheck("fences", () -> BeanMethods.areFenced(beans), guard::check);
			}

		}

	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(EngineDistributedLocks.class)
	@ConditionalOnBean(DistributedLocks.class)
	static class LockHealthConfiguration {

		/** Also a listener, and listeners are created before the locks. */
		@Bean(HealthCheck.LOCK_ENGINE)
		LockEngineHealthCheck lockEngineHealthCheck(ObjectProvider<DistributedLocks> locks,
				ObjectProvider<SwitchControl> switching) {
			return new LockEngineHealthCheck(locks::getObject, switching);
		}

	}

	/**
	 * Statements that write no row into the table of a guard; they throw if none can be.
	 */
	record GuardCheck(String name, BooleanSupplier used, Runnable statement) {
	}

}
