package io.idempotent.boot.lock;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import org.springframework.context.annotation.Conditional;

/**
 * Matches when {@code idempotent.lock.engines} names the engine, or a property that an
 * extension lists in {@code META-INF/spring}, in a file named after this class. For the
 * auto-configuration of an engine, which comes before {@link LockAutoConfiguration}.
 */
@Target({ ElementType.TYPE, ElementType.METHOD })
@Retention(RetentionPolicy.RUNTIME)
@Conditional(LockEngines.OnLockEngineCondition.class)
public @interface ConditionalOnLockEngine {

	/** The name of the engine. */
	String value();

	/** Whether it also matches when no engine is named. */
	boolean byDefault() default false;

}
