package io.idempotent.boot3.autoconfigure;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.idempotent.boot.IdempotencyCallAutoConfiguration;
import io.idempotent.method.json.CallJson;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.jackson.JacksonAutoConfiguration;
import org.springframework.context.annotation.Bean;

/**
 * Auto-configuration for results and keys as JSON by Jackson 2. In Spring Boot 4, Jackson
 * 2 may be there as well, but not this {@link JacksonAutoConfiguration}.
 */
@AutoConfiguration(after = JacksonAutoConfiguration.class, before = IdempotencyCallAutoConfiguration.class)
@ConditionalOnClass({ CallJson.class, ObjectMapper.class, JacksonAutoConfiguration.class })
@ConditionalOnBooleanProperty(name = "idempotent.enabled", matchIfMissing = true)
public final class Jackson2AutoConfiguration {

	@Bean("io.idempotent.idempotencyCallJson")
	@ConditionalOnMissingBean
	CallJson idempotencyCallJson(ObjectProvider<ObjectMapper> mapper) {
		return new Jackson2CallJson(mapper.getIfUnique(() -> JsonMapper.builder().findAndAddModules().build()));
	}

}
