package io.idempotent.boot.lock;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import org.springframework.context.annotation.Conditional;

/**
 * Matches when {@code idempotent.lock.engines} names the engine.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Conditional(OnLockEngineCondition.class)
@interface ConditionalOnLockEngine {

	/**
	 * The name of the engine.
	 */
	String value();

	/**
	 * Whether it also matches when no engine is named.
	 */
	boolean byDefault() default false;

}
