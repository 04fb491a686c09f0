package io.idempotent.benchmarks.http;

import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.data.redis.connection.RedisConnectionFactory;

/**
 * The application whose arguments choose its {@link Protection}. What other areas bring
 * to the class path, and the starter does not, is left out.
 */
@SpringBootConfiguration
@EnableAutoConfiguration(excludeName = { "com.pig4cloud.plugin.idempotent.IdempotentAutoConfiguration",
		"io.idempotent.steps.autoconfigure.StepsAutoConfiguration" })
@Import({ IdempotentHandlers.class, ProtectedHandlers.class })
class ProtectedShop {

	@Bean
	@ConditionalOnBooleanProperty("by-hand")
	HandWrittenFilter handWrittenFilter(RedisConnectionFactory connections) {
		return new HandWrittenFilter(connections);
	}

	public static void main(String[] arguments) {
		Child.run(ProtectedShop.class, arguments);
	}

}
