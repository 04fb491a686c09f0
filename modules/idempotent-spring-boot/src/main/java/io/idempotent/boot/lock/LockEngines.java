package io.idempotent.boot.lock;

import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import io.idempotent.boot.settings.InvalidConfigurationException;
import io.idempotent.boot.settings.OptionalModule;
import io.idempotent.lock.engine.LockEngine;
import io.idempotent.support.StartUpException;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;
import org.redisson.api.RedissonClient;

import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.condition.AnyNestedCondition;
import org.springframework.boot.autoconfigure.condition.ConditionMessage;
import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.boot.context.annotation.ImportCandidates;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.annotation.Condition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.context.annotation.Conditional;
import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.core.env.Environment;
import org.springframework.core.type.AnnotatedTypeMetadata;
import org.springframework.util.ClassUtils;

/** Selects the lock engines in the order of {@code idempotent.lock.engines}. */
final class LockEngines {

	private static final Log logger = LogFactory.getLog(LockEngines.class);

	private static final Requirement DATABASE = new Requirement(OptionalModule.LOCK_JDBC, "there is no DataSource",
			"Add a JDBC driver and set spring.datasource.*");

	private static final Map<String, Requirement> REQUIREMENTS = Map.of("redisson",
			new Requirement(OptionalModule.LOCK_REDIS, "there is no RedissonClient",
					"Add Redisson and Spring Data Redis to the class path and set spring.data.redis.*, "
							+ "define a RedissonClient bean, or set idempotent.lock.engines=redis"),
			"redis",
			new Requirement(OptionalModule.LOCK_REDIS, "there is no RedisConnectionFactory",
					"Add spring-boot-starter-data-redis, and set spring.data.redis.*"),
			"jdbc", DATABASE, "jdbc-transaction", DATABASE);

	private LockEngines() {
	}

	/** The names in order of preference; empty means all available engines. */
	static List<String> named(Environment environment) {
		return Binder.get(environment).bind("idempotent.lock.engines", Bindable.listOf(String.class)).orElse(List.of());
	}

	/** Fails if a named engine is not available, or if there is no engine. */
	static List<LockEngine> select(List<String> names, List<LockEngine> available,
			ConfigurableListableBeanFactory beans) {
		if (!names.isEmpty()) {
			return names.stream().map((name) -> find(name, available, beans)).toList();
		}
		if (available.isEmpty()) {
			Requirement missing = Requirement.of("redisson", beans);
			throw new StartUpException(
					"Locks are used, but there is no engine for them: for the default, redisson, " + missing.why(),
					missing.action() + ", or name other engines in idempotent.lock.engines", null);
		}
		return available;
	}

	/** An environment variable for an extension that is not there is not noticed. */
	static void logUnused(List<LockEngine> engines) {
		List<String> names = engines.stream().map(LockEngine::name).toList();
		if (names.size() > 1) {
			logger.info("Locks that name no engine are on '" + names.get(0) + "', and nothing switches them to "
					+ names.subList(1, names.size()));
		}
	}

	/** An extension may be there, while its auto-configuration is excluded. */
	static void requireNoneEnabled(Environment environment, @Nullable ClassLoader classLoader) {
		listed(LockEnginesCustomizer.class, classLoader)
			.filter((property) -> environment.getProperty(property, Boolean.class, false))
			.forEach((property) -> {
				throw new InvalidConfigurationException(property, "true",
						"there is no LockEnginesCustomizer bean: its auto-configuration is excluded",
						"Do not exclude it (spring.autoconfigure.exclude), or remove the property");
			});
	}

	/** The properties that extensions list in a file named after a class. */
	private static Stream<String> listed(Class<?> readBy, @Nullable ClassLoader classLoader) {
		return ImportCandidates.load(readBy, classLoader).getCandidates().stream();
	}

	private static LockEngine find(String name, List<LockEngine> available, ConfigurableListableBeanFactory beans) {
		return available.stream().filter((engine) -> engine.name().equals(name)).findFirst().orElseThrow(() -> {
			Requirement missing = Requirement.of(name, beans);
			return new StartUpException("idempotent.lock.engines names '" + name + "', but " + missing.why(),
					missing.action() + ", or remove '" + name + "' from idempotent.lock.engines", null);
		});
	}

	/** What an engine needs; {@code why} and {@code action} if its module is there. */
	private record Requirement(@Nullable OptionalModule module, String why, String action) {

		static Requirement of(String engine, ConfigurableListableBeanFactory beans) {
			ClassLoader loader = beans.getBeanClassLoader();
			if (engine.equals("redisson") && OptionalModule.LOCK_REDIS.isPresent(loader)
					&& ClassUtils.isPresent("org.redisson.api.RedissonClient", loader)
					&& beans.getBeanNamesForType(RedissonClient.class).length > 1) {
				String clients = String.join(", ", beans.getBeanNamesForType(RedissonClient.class));
				return new Requirement(null, "none of the RedissonClient beans is @Primary: " + clients,
						"Mark the one of the Redis that keeps the locks as @Primary");
			}
			Requirement requirement = REQUIREMENTS.get(engine);
			if (requirement == null) {
				return ofExtension(engine);
			}
			OptionalModule module = requirement.module();
			return (module == null || module.isPresent(loader)) ? requirement
					: new Requirement(module, module.reason(), module.action());
		}

		/** The names of the extensions of this library follow a rule. */
		private static Requirement ofExtension(String engine) {
			return new Requirement(null, "there is no LockEngine bean with this name",
					"If it is an engine of this library (docs/locks.md lists them), add io.idempotent:idempotent-lock-"
							+ engine
							+ " and do not exclude its auto-configuration; otherwise name redisson, redis, jdbc, "
							+ "jdbc-transaction or local, or define such a bean");
		}

	}

	static final class OnLockEngineCondition extends SpringBootCondition {

		@Override
		public ConditionOutcome getMatchOutcome(ConditionContext context, AnnotatedTypeMetadata metadata) {
			MergedAnnotation<?> annotation = metadata.getAnnotations().get(ConditionalOnLockEngine.class);
			String engine = annotation.getString("value");
			List<String> engines = named(context.getEnvironment());
			boolean matches = engines.contains(engine) || (engines.isEmpty() && annotation.getBoolean("byDefault"))
					|| listed(ConditionalOnLockEngine.class, context.getClassLoader())
						.anyMatch((property) -> engine.equals(context.getEnvironment().getProperty(property)));
			return new ConditionOutcome(matches, ConditionMessage.forCondition(ConditionalOnLockEngine.class, engine)
				.because("idempotent.lock.engines is " + engines));
		}

	}

	/** Matches also if an engine is named that is not there, which then is reported. */
	static final class OnEnginesCondition extends AnyNestedCondition {

		OnEnginesCondition() {
			super(ConfigurationPhase.REGISTER_BEAN);
		}

		@ConditionalOnBean(LockEngine.class)
		static class Available {

		}

		@Conditional(Named.class)
		static class Named implements Condition {

			@Override
			public boolean matches(ConditionContext context, AnnotatedTypeMetadata metadata) {
				return !named(context.getEnvironment()).isEmpty();
			}

		}

	}

}
