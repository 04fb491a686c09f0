package io.idempotent.steps.autoconfigure;

import java.lang.reflect.Method;

import io.idempotent.ApiIdempotent;
import io.idempotent.Idempotent;
import io.idempotent.WhenCompleted;
import io.idempotent.WhenFailed;
import io.idempotent.WhenUnknown;
import io.idempotent.boot.internal.start.BeanMethods;
import io.idempotent.method.IdempotentMethods;
import io.idempotent.steps.Resumable;
import io.idempotent.steps.internal.ResumableMethods;
import io.idempotent.submission.policy.OperationPolicy;
import io.idempotent.support.MethodAnnotations;
import io.idempotent.support.StartUpException;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;

/** Registers the resumable methods, and fails the start if one could not be called. */
record ResumableMethodCheck(ResumableMethods resumable, IdempotentMethods methods,
		ConfigurableListableBeanFactory beans) implements SmartInitializingSingleton {

	@Override
	public void afterSingletonsInstantiated() {
		BeanMethods.forEach(this.beans, (method, type) -> MethodAnnotations.find(method, type, Resumable.class) != null,
				this::register);
	}

	private void register(Method method, Class<?> type) {
		if (MethodAnnotations.findOnNonPrivate(method, type, Idempotent.class) == null) {
			throw invalid(method, "is not @Idempotent, so that a call could not be repeated", (MethodAnnotations
				.find(method, type, ApiIdempotent.class) != null)
						? "A request cannot be called again: move the steps into an @Idempotent method of a bean that "
								+ "the handler calls"
						: "Annotate it with @Idempotent too, and give it steps",
					null);
		}
		int found = this.beans.getBeanNamesForType(type).length;
		if (found != 1) {
			throw invalid(method, "cannot be called again: there are " + found + " beans of its class",
					"Let there be exactly one, with a class-based proxy (the default of Spring Boot)", null);
		}
		OperationPolicy policy = this.methods.check(method, type);
		if (policy.whenUnknown() != WhenUnknown.RERUN || policy.whenFailed() != WhenFailed.RELEASE
				|| policy.whenCompleted() == WhenCompleted.BURN) {
			throw invalid(method,
					"could not run again, with whenUnknown " + policy.whenUnknown() + ", whenFailed "
							+ policy.whenFailed() + " and whenCompleted " + policy.whenCompleted(),
					"Use RERUN, RELEASE and REPLAY, the defaults", null);
		}
		try {
			this.resumable.add(policy.operation(), method, type, () -> this.beans.getBean(type));
			this.methods.whenEntered(policy.operation(), this.resumable::entered);
		}
		catch (IllegalArgumentException ex) {
			throw invalid(method, "has a parameter that cannot be stored: " + ex.getMessage(),
					"Take a record or another type that JSON keeps", ex);
		}
	}

	private static StartUpException invalid(Method method, String problem, String action, @Nullable Throwable cause) {
		return new StartUpException(
				"@Resumable " + method.getDeclaringClass().getSimpleName() + "." + method.getName() + " " + problem,
				action, cause);
	}

}
