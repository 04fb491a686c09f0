package io.idempotent.boot.health;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

import io.idempotent.boot.GuardAutoConfiguration;
import io.idempotent.boot.IdempotencyAutoConfiguration;
import io.idempotent.boot.internal.start.BeanMethods;
import io.idempotent.boot.internal.store.StoreTypes;
import io.idempotent.boot.lock.LockAutoConfiguration;
import io.idempotent.boot.settings.Namespace;
import io.idempotent.boot.settings.NodeName;
import io.idempotent.engine.receipt.Receipts;
import io.idempotent.lock.DistributedLocks;
import io.idempotent.lock.EngineStatus;
import io.idempotent.lock.fence.FenceGuard;
import io.idempotent.store.IdempotencyStore;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.SpringBootVersion;
import org.springframework.boot.actuate.autoconfigure.info.ConditionalOnEnabledInfoContributor;
import org.springframework.boot.actuate.info.InfoContributor;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.annotation.Order;
import org.springframework.core.env.Environment;
import org.springframework.util.function.SingletonSupplier;

/**
 * Auto-configuration for the {@code info} endpoint: versions, namespace, node, store,
 * guard and lock engine. No server is asked.
 */
@AutoConfiguration(
		after = { IdempotencyAutoConfiguration.class, GuardAutoConfiguration.class, LockAutoConfiguration.class })
@ConditionalOnClass({ InfoContributor.class, ConditionalOnEnabledInfoContributor.class })
@ConditionalOnBooleanProperty(name = "idempotent.enabled", matchIfMissing = true)
@ConditionalOnEnabledInfoContributor("idempotent")
public final class IdempotencyInfoAutoConfiguration {

	@Bean("io.idempotent.idempotentInfoContributor")
	InfoContributor idempotentInfoContributor(Environment environment, ObjectProvider<InfoDetail> details) {
		String namespace = Namespace.in(environment);
		List<InfoDetail> parts = details.orderedStream().toList();
		return (builder) -> builder.withDetail("idempotent", describe(namespace, parts));
	}

	private static Map<String, Object> describe(String namespace, List<InfoDetail> details) {
		Map<String, Object> info = new LinkedHashMap<>();
		String version = IdempotencyInfoAutoConfiguration.class.getPackage().getImplementationVersion();
		if (version != null) {
			info.put("version", version);
		}
		info.put("springBoot", SpringBootVersion.getVersion());
		info.put("namespace", namespace);
		details.forEach((detail) -> info.putAll(detail.get()));
		return info;
	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(IdempotencyStore.class)
	static class StoreInfoConfiguration {

		@Bean("io.idempotent.idempotentStoreInfo")
		@Order(1)
		InfoDetail idempotentStoreInfo(ObjectProvider<IdempotencyStore> store, Environment environment) {
			return () -> {
				Map<String, Object> info = new LinkedHashMap<>();
				info.put("node", NodeName.in(environment));
				store.ifAvailable((known) -> info.put("store", StoreTypes.of(known)));
				return info;
			};
		}

		@Bean("io.idempotent.idempotentReceiptInfo")
		@Order(2)
		InfoDetail idempotentReceiptInfo(ObjectProvider<Receipts> receipts) {
			return () -> Map.of("receipts", receipts.stream().findAny().isPresent());
		}

	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(FenceGuard.class)
	static class FenceInfoConfiguration {

		@Bean("io.idempotent.idempotentFenceInfo")
		@Order(3)
		InfoDetail idempotentFenceInfo(ObjectProvider<FenceGuard> fences, ConfigurableListableBeanFactory beans) {
			SingletonSupplier<Boolean> used = SingletonSupplier
				.of(() -> fences.stream().findAny().isPresent() && BeanMethods.areFenced(beans));
			return () -> Map.of("fences", used.obtain());
		}

	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(DistributedLocks.class)
	static class LockInfoConfiguration {

		@Bean("io.idempotent.idempotentLockInfo")
		@Order(4)
		InfoDetail idempotentLockInfo(ObjectProvider<DistributedLocks> locks) {
			return () -> {
				DistributedLocks known = locks.getIfAvailable();
				if (known == null) {
					return Map.of();
				}
				EngineStatus status = known.engineStatus();
				Map<String, Object> info = new LinkedHashMap<>();
				info.put("engine", status.engine());
				info.put("epoch", status.epoch());
				info.put("engines", known.engines());
				return Map.of("locks", info);
			};
		}

	}

	/** A part of the information, without secrets. */
	interface InfoDetail extends Supplier<Map<String, Object>> {

	}

}
