package io.idempotent.testing;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.condition.EnabledIf;

/**
 * Tests on a {@link TestMySql}, which are skipped where it does not run.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Tag("mysql")
@EnabledIf(value = "io.idempotent.testing.TestMySql#isAvailable",
		disabledReason = "MySQL runs on Linux on x86-64 with libaio.so.1 (Debian: libaio1)")
public @interface WithMySql {

}
