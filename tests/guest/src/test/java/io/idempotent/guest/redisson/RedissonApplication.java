package io.idempotent.guest.redisson;

import org.redisson.Redisson;
import org.redisson.api.RedissonClient;
import org.redisson.config.Config;

import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;

/**
 * Has a client of its own.
 */
@SpringBootApplication
public class RedissonApplication {

	@Bean
	RedissonClient redisson() {
		Config config = new Config().setLazyInitialization(true);
		config.useSingleServer().setAddress("redis://127.0.0.1:1");
		return Redisson.create(config);
	}

}
