package io.idempotent.boot;

import java.lang.annotation.Annotation;
import java.util.List;

import io.idempotent.ApiIdempotent;
import io.idempotent.Idempotent;
import io.idempotent.support.MethodAnnotations;
import io.idempotent.support.StartUpException;

import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.util.ClassUtils;

/**
 * Fails the start if the application excludes an auto-configuration and has methods whose
 * annotation has no effect without it.
 */
final class ExcludedAutoConfigurationCheck implements SmartInitializingSingleton {

	private static final List<Support> SUPPORTS = List.of(
			new Support(ApiIdempotent.class.getName(), "io.idempotent.webmvc.internal.HttpIdempotency",
					"io.idempotent.boot.IdempotencyWebMvcAutoConfiguration"),
			new Support(Idempotent.class.getName(), "io.idempotent.method.IdempotentMethods",
					"io.idempotent.boot.IdempotencyCallAutoConfiguration"),
			new Support("io.idempotent.lock.DistributedLocked", "io.idempotent.lock.DistributedLocks",
					"io.idempotent.boot.lock.LockAutoConfiguration"));

	private final ConfigurableListableBeanFactory beans;

	private final boolean locksEnabled;

	ExcludedAutoConfigurationCheck(ConfigurableListableBeanFactory beans, boolean locksEnabled) {
		this.beans = beans;
		this.locksEnabled = locksEnabled;
	}

	@Override
	public void afterSingletonsInstantiated() {
		SUPPORTS.stream().filter(this::isExpected).forEach(this::requireUnused);
	}

	private boolean isExpected(Support support) {
		return switch (ClassUtils.getShortName(support.annotation())) {
			case "ApiIdempotent" -> this.beans.containsBean(UnservedAnnotationCheck.SPRING_MVC)
					&& !this.beans.containsBean(UnservedAnnotationCheck.WEB_FLUX);
			case "DistributedLocked" -> this.locksEnabled;
			default -> true;
		};
	}

	private void requireUnused(Support support) {
		ClassLoader loader = getClass().getClassLoader();
		if (!ClassUtils.isPresent(support.annotation(), loader) || !ClassUtils.isPresent(support.bean(), loader)
				|| hasBean(ClassUtils.resolveClassName(support.bean(), loader))) {
			return;
		}
		Class<? extends Annotation> annotation = ClassUtils.resolveClassName(support.annotation(), loader)
			.asSubclass(Annotation.class);
		BeanMethods.forEach(this.beans, (method, type) -> MethodAnnotations.find(method, type, annotation) != null,
				(method, type) -> {
					throw new StartUpException(
							"@" + annotation.getSimpleName() + " " + type.getSimpleName() + "." + method.getName()
									+ " has no effect: " + support.autoConfiguration() + " is excluded",
							"Do not exclude it (spring.autoconfigure.exclude, or exclude of @SpringBootApplication), "
									+ "or remove the annotation",
							null);
				});
	}

	private boolean hasBean(Class<?> type) {
		return this.beans.getBeanNamesForType(type, true, false).length > 0;
	}

	/**
	 * What gives an annotation its effect.
	 *
	 * @param annotation the type of the annotation
	 * @param bean the type of a bean of the auto-configuration
	 * @param autoConfiguration the auto-configuration
	 */
	private record Support(String annotation, String bean, String autoConfiguration) {
	}

}
