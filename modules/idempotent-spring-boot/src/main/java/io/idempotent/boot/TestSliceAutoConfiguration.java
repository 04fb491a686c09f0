package io.idempotent.boot;

import io.idempotent.store.IdempotencyStore;
import io.idempotent.store.local.LocalIdempotencyStore;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;

/**
 * Keeps records in memory in test slices such as {@code @WebMvcTest}, which have neither
 * Redis nor a database. Imported only by Spring Boot's test slices.
 */
@AutoConfiguration(beforeName = "io.idempotent.boot.IdempotencyAutoConfiguration")
@ConditionalOnClass(IdempotencyStore.class)
@ConditionalOnBooleanProperty(name = "idempotent.enabled", matchIfMissing = true)
public final class TestSliceAutoConfiguration {

	static final int MAX_RECORDS = 10_000;

	@Bean("io.idempotent.idempotencyStore")
	@ConditionalOnMissingBean(IdempotencyStore.class)
	LocalIdempotencyStore idempotencyStore() {
		return new LocalIdempotencyStore(MAX_RECORDS);
	}

}
