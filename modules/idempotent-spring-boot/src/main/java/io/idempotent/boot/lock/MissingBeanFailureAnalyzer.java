package io.idempotent.boot.lock;

import java.util.List;
import java.util.Map;

import io.idempotent.boot.TestSliceAutoConfiguration;
import io.idempotent.support.StartUpException;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.NoSuchBeanDefinitionException;
import org.springframework.beans.factory.NoUniqueBeanDefinitionException;
import org.springframework.beans.factory.UnsatisfiedDependencyException;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.annotation.Order;
import org.springframework.core.env.Environment;

/**
 * Explains why an injected bean of this library is missing. Comes before Spring Boot's
 * analyzer, which would suggest defining one.
 */
@Order(0)
class MissingBeanFailureAnalyzer extends AbstractFailureAnalyzer<NoSuchBeanDefinitionException> {

	private static final String ENABLED = "idempotent.enabled";

	/** The only switch that is off by default. */
	private static final String GUARD = "idempotent.guard.enabled";

	private static final List<String> LOCK_SWITCHES = List.of(ENABLED, "idempotent.lock.enabled");

	/** Properties that must be true for a bean. As text: its module may be missing. */
	private static final Map<String, List<String>> SWITCHES = Map.of("io.idempotent.IdempotencyTemplate",
			List.of(ENABLED), "io.idempotent.lock.DistributedLocks", LOCK_SWITCHES, "io.idempotent.lock.LockTemplate",
			LOCK_SWITCHES, "io.idempotent.lock.fence.FenceGuard", List.of(ENABLED, GUARD));

	private final @Nullable BeanFactory beans;

	private final @Nullable Environment environment;

	MissingBeanFailureAnalyzer(@Nullable BeanFactory beans, @Nullable Environment environment) {
		this.beans = beans;
		this.environment = environment;
	}

	@Override
	protected @Nullable FailureAnalysis analyze(Throwable rootFailure, NoSuchBeanDefinitionException cause) {
		Class<?> type = cause.getBeanType();
		if (type == null || cause instanceof NoUniqueBeanDefinitionException || this.environment == null) {
			return null;
		}
		StartUpException reason = reason(type, this.environment);
		return (reason != null) ? new FailureAnalysis(
				"There is no bean of type " + type.getName() + dependent(rootFailure) + ": " + reason.description(),
				reason.action(), cause) : null;
	}

	private @Nullable StartUpException reason(Class<?> type, Environment environment) {
		List<String> switches = SWITCHES.getOrDefault(type.getName(), List.of());
		for (String each : switches) {
			if (!environment.getProperty(each, Boolean.class, !each.equals(GUARD))) {
				return new StartUpException(each + (environment.containsProperty(each) ? " is false" : " is not set"),
						"Set " + each + "=true, or inject an ObjectProvider<" + type.getSimpleName()
								+ "> if the application can run without it",
						null);
			}
		}
		return switches.equals(LOCK_SWITCHES) ? reasonOfLocks(type, environment) : null;
	}

	private @Nullable StartUpException reasonOfLocks(Class<?> type, Environment environment) {
		if (!has(LockAutoConfiguration.class)) {
			return has(TestSliceAutoConfiguration.class) ? new StartUpException(
					"locks are not part of this test slice", "Mock the bean that needs it, add @MockitoBean "
							+ type.getSimpleName() + ", or add @AutoConfigureIdempotency of the module idempotent-test",
					null) : null;
		}
		try {
			LockEngines.select(LockEngines.named(environment), List.of());
			return null;
		}
		catch (StartUpException ex) {
			return ex;
		}
	}

	private boolean has(Class<?> type) {
		return this.beans instanceof ListableBeanFactory listable
				&& listable.getBeanNamesForType(type, false, false).length > 0;
	}

	private String dependent(Throwable failure) {
		UnsatisfiedDependencyException dependency = findCause(failure, UnsatisfiedDependencyException.class);
		return (dependency != null && dependency.getBeanName() != null)
				? ", which the bean '" + dependency.getBeanName() + "' needs" : "";
	}

}
