package io.idempotent.health.autoconfigure;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

import io.idempotent.boot.GuardAutoConfiguration;
import io.idempotent.boot.IdempotencyAutoConfiguration;
import io.idempotent.boot.internal.start.BeanMethods;
import io.idempotent.boot.internal.store.StoreTypes;
import io.idempotent.boot.lock.LockAutoConfiguration;
import io.idempotent.boot.settings.Namespace;
import io.idempotent.boot.settings.NodeName;
import io.idempotent.lock.DistributedLocks;
import io.idempotent.lock.LockFence;
import io.idempotent.lock.administration.SwitchControl;
import io.idempotent.store.IdempotencyStore;
import io.idempotent.submission.receipt.Receipts;

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
		List<InfoDetail> parts = details.orderedStream().toList();
		return (builder) -> {
			Map<String, Object> info = new LinkedHashMap<>();
			String version = IdempotencyInfoAutoConfiguration.class.getPackage().getImplementationVersion();
			if (version != null) {
				info.put("version", version);
			}
			info.put("springBoot", SpringBootVersion.getVersion());
			info.put("namespace", Namespace.in(environment));
			parts.forEach((detail) -> detail.accept(info));
			builder.withDetail("idempotent", info);
		};
	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(IdempotencyStore.class)
	static class StoreInfoConfiguration {

		@Bean("io.idempotent.idempotentStoreInfo")
		@Order(1)
		InfoDetail idempotentStoreInfo(ObjectProvider<IdempotencyStore> store, ObjectProvider<Receipts> receipts,
				Environment environment) {
			String node = NodeName.in(environment);
			return (info) -> {
				info.put("node", node);
				store.ifAvailable((known) -> info.put("store", StoreTypes.of(known)));
				info.put("receipts", receipts.stream().findAny().isPresent());
			};
		}

	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(DistributedLocks.class)
	static class LockInfoConfiguration {

		@Bean("io.idempotent.idempotentLockInfo")
		@Order(2)
		InfoDetail idempotentLockInfo(ObjectProvider<DistributedLocks> locks, ObjectProvider<LockFence> fences,
				ObjectProvider<SwitchControl> switching, ConfigurableListableBeanFactory beans) {
			SingletonSupplier<Boolean> fenced = SingletonSupplier
				.of(() -> fences.stream().findAny().isPresent() && BeanMethods.areFenced(beans));
			return (info) -> {
				info.put("fences", fenced.obtain());
				locks.ifAvailable((known) -> {
					Map<String, Object> engines = new LinkedHashMap<>();
					engines.put("engine", known.currentEngine());
					engines.put("engines", known.engines());
					switching.ifAvailable((control) -> engines.putAll(control.status()));
					info.put("locks", engines);
				});
			};
		}

	}

	/** Adds a part of the information, without secrets. */
	interface InfoDetail extends Consumer<Map<String, Object>> {

	}

}
