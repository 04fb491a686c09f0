package io.idempotent.guest.redis;

import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.core.RedisTemplate;
import org.springframework.data.redis.serializer.RedisSerializer;

/**
 * Has a template of its own.
 */
@SpringBootApplication
public class RedisApplication {

	@Bean
	RedisTemplate<String, Object> redisTemplate(RedisConnectionFactory connections) {
		RedisTemplate<String, Object> template = new RedisTemplate<>();
		template.setConnectionFactory(connections);
		template.setKeySerializer(RedisSerializer.string());
		return template;
	}

}
