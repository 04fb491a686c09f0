package io.idempotent.boot.lock;

import java.util.List;
import java.util.Map;

import io.idempotent.boot.settings.OptionalModule;
import io.idempotent.lock.engine.LockEngine;
import io.idempotent.support.StartUpException;

import org.springframework.boot.autoconfigure.condition.AnyNestedCondition;
import org.springframework.boot.autoconfigure.condition.ConditionMessage;
import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.annotation.Condition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.context.annotation.Conditional;
import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.core.env.Environment;
import org.springframework.core.type.AnnotatedTypeMetadata;

/** Selects the lock engines in the order of {@code idempotent.lock.engines}. */
final class LockEngines {

	private static final Map<String, Reason> REASONS = Map.of("redisson",
			new Reason("there is no RedissonClient",
					"Add Redisson and Spring Data Redis to the class path and set spring.data.redis.*, "
							+ "or define a RedissonClient bean"),
			"zookeeper",
			new Reason("there is neither idempotent.lock.zookeeper.connect-string nor a CuratorFramework bean",
					"Set idempotent.lock.zookeeper.connect-string, or define a CuratorFramework bean"),
			"jdbc", new Reason("there is no DataSource", "Add a JDBC driver and set spring.datasource.*"),
			"jdbc-transaction", new Reason("there is no DataSource", "Add a JDBC driver and set spring.datasource.*"));

	private static final Map<String, OptionalModule> MODULES = Map.of("redisson", OptionalModule.LOCK_REDISSON,
			"zookeeper", OptionalModule.LOCK_ZOOKEEPER, "jdbc", OptionalModule.LOCK_JDBC, "jdbc-transaction",
			OptionalModule.LOCK_JDBC);

	private static final Reason UNKNOWN = new Reason(
			"neither a module on the class path nor a LockEngine bean provides an engine of that name",
			"Add the module of the engine (docs/locks.md lists them), name redisson, zookeeper, jdbc, jdbc-transaction "
					+ "or local, or define a LockEngine bean with that name()");

	private LockEngines() {
	}

	/** The names in order of preference; empty means all available engines. */
	static List<String> named(Environment environment) {
		return Binder.get(environment).bind("idempotent.lock.engines", Bindable.listOf(String.class)).orElse(List.of());
	}

	/** Fails if a named engine is not available, or if there is no engine. */
	static List<LockEngine> select(List<String> names, List<LockEngine> available) {
		if (!names.isEmpty()) {
			return names.stream().map((name) -> find(name, available)).toList();
		}
		if (available.isEmpty()) {
			Reason reason = reason("redisson");
			throw new StartUpException(
					"Locks are used, but there is no engine for them: idempotent.lock.engines is not set, and "
							+ reason.why() + " for the default, redisson",
					reason.action() + ", or name other engines in idempotent.lock.engines", null);
		}
		return available;
	}

	private static LockEngine find(String name, List<LockEngine> available) {
		return available.stream().filter((engine) -> engine.name().equals(name)).findFirst().orElseThrow(() -> {
			Reason reason = reason(name);
			return new StartUpException("idempotent.lock.engines names '" + name + "', but " + reason.why(),
					reason.action() + ", or remove '" + name + "' from idempotent.lock.engines", null);
		});
	}

	private static Reason reason(String name) {
		OptionalModule module = MODULES.get(name);
		return (module != null && !module.isPresent()) ? new Reason(module.reason(), module.action())
				: REASONS.getOrDefault(name, UNKNOWN);
	}

	private record Reason(String why, String action) {
	}

	static final class OnLockEngineCondition extends SpringBootCondition {

		@Override
		public ConditionOutcome getMatchOutcome(ConditionContext context, AnnotatedTypeMetadata metadata) {
			MergedAnnotation<ConditionalOnLockEngine> annotation = metadata.getAnnotations()
				.get(ConditionalOnLockEngine.class);
			String engine = annotation.getString("value");
			List<String> engines = named(context.getEnvironment());
			String authority = context.getEnvironment().getProperty("idempotent.lock.switching.authority");
			boolean matches = engines.contains(engine) || engine.equals(authority)
					|| (engines.isEmpty() && annotation.getBoolean("byDefault"));
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

		@Conditional(OnNamedEngineCondition.class)
		static class Named {

		}

	}

	static final class OnNamedEngineCondition implements Condition {

		@Override
		public boolean matches(ConditionContext context, AnnotatedTypeMetadata metadata) {
			return !named(context.getEnvironment()).isEmpty();
		}

	}

}
