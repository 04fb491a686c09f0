package io.idempotent.client;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Gives the calls of an {@code @HttpExchange} method a key that is
 * {@linkplain DerivedKeys derived} from the running operation. Needs a
 * {@link DerivedKeyProcessor} in the {@code HttpServiceProxyFactory}; without one the
 * annotation has no effect.
 */
@Target({ ElementType.METHOD, ElementType.ANNOTATION_TYPE })
@Retention(RetentionPolicy.RUNTIME)
@Documented
public @interface DerivedKey {

	/**
	 * The purpose of the call: its name within the operation, such as {@code "charge"}.
	 * One run of an operation may call the method once.
	 */
	String value();

}
