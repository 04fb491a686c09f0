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
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.annotation.Order;
import org.springframework.core.env.Environment;

/**
 * Explains why a bean of this library that the application injects is missing. Comes
 * before Spring Boot's analyzer, which would suggest defining one.
 */
@Order(0)
class MissingBeanFailureAnalyzer extends AbstractFailureAnalyzer<NoSuchBeanDefinitionException> {

	private static final String ENABLED = "idempotent.enabled";

	private static final List<Switch> LOCK_SWITCHES = List.of(new Switch(ENABLED, true),
			new Switch("idempotent.lock.enabled", true));

	/**
	 * The properties that must be true for a bean of a type. The types are named as text,
	 * because their modules may be missing.
	 */
	private static final Map<String, List<Switch>> SWITCHES = Map.of("io.idempotent.IdempotencyTemplate",
			List.of(new Switch(ENABLED, true)), "io.idempotent.lock.DistributedLocks", LOCK_SWITCHES,
			"io.idempotent.lock.LockTemplate", LOCK_SWITCHES, "io.idempotent.lock.fence.FenceGuard",
			List.of(new Switch(ENABLED, true), new Switch("idempotent.guard.enabled", false)));

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
		Reason reason = reason(type, this.environment);
		return (reason != null) ? new FailureAnalysis(
				"There is no bean of type " + type.getName() + dependent(rootFailure) + ": " + reason.why(),
				reason.action(), cause) : null;
	}

	private @Nullable Reason reason(Class<?> type, Environment environment) {
		for (Switch each : SWITCHES.getOrDefault(type.getName(), List.of())) {
			if (!environment.getProperty(each.property(), Boolean.class, each.defaultValue())) {
				return new Reason(
						each.property() + (environment.containsProperty(each.property()) ? " is false" : " is not set"),
						"Set " + each.property() + "=true, or inject an ObjectProvider<" + type.getSimpleName()
								+ "> if the application can run without it");
			}
		}
		return (SWITCHES.get(type.getName()) == LOCK_SWITCHES) ? reasonOfLocks(type, environment) : null;
	}

	private @Nullable Reason reasonOfLocks(Class<?> type, Environment environment) {
		if (has(TestSliceAutoConfiguration.class) && !has(LockAutoConfiguration.class)) {
			return new Reason("locks are not part of this test slice", "Mock the bean that needs it, add @MockitoBean "
					+ type.getSimpleName() + ", or add @AutoConfigureIdempotency of the module idempotent-test");
		}
		if (!has(LockAutoConfiguration.class)) {
			return null;
		}
		List<String> engines = Binder.get(environment)
			.bind("idempotent.lock.engines", Bindable.listOf(String.class))
			.orElse(List.of());
		try {
			LockEngines.select(engines, List.of());
			return null;
		}
		catch (StartUpException ex) {
			return new Reason(ex.description(), ex.action());
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

	private record Switch(String property, boolean defaultValue) {
	}

	private record Reason(String why, String action) {
	}

}
