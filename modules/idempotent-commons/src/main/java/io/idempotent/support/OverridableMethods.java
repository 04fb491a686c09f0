package io.idempotent.support;

import java.lang.annotation.Annotation;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;

/**
 * Checks that a proxy can intercept the calls of a method.
 */
public final class OverridableMethods {

	private static final int NOT_OVERRIDABLE = Modifier.PRIVATE | Modifier.STATIC | Modifier.FINAL;

	private OverridableMethods() {
	}

	/**
	 * Rejects a method that a proxy cannot override.
	 * @param method the method
	 * @param annotation the annotation that needs the proxy
	 * @param consequence what would happen without one
	 * @throws InvalidAnnotationException naming the modifier, if the method is private,
	 * static or final
	 */
	public static void require(Method method, Class<? extends Annotation> annotation, String consequence) {
		int modifiers = method.getModifiers() & NOT_OVERRIDABLE;
		if (modifiers != 0) {
			String names = Modifier.toString(modifiers);
			throw new InvalidAnnotationException(
					"@" + annotation.getSimpleName() + " " + method.getDeclaringClass().getSimpleName() + "."
							+ method.getName() + " is " + names + ": no proxy can intercept its calls, so that "
							+ consequence,
					"Remove '" + names + "' from the method"
							+ (Modifier.isFinal(modifiers) ? " (in Kotlin: declare it open)" : ""),
					null);
		}
	}

}
