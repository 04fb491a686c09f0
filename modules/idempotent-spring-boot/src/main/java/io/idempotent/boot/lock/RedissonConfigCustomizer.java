package io.idempotent.boot.lock;

import org.redisson.config.Config;

/**
 * Customizes the configuration of the {@code RedissonClient} that locks use, after the
 * auto-configuration. Not called if the application defines a {@code RedissonClient}.
 */
@FunctionalInterface
public interface RedissonConfigCustomizer {

	/**
	 * Customizes the configuration. Its servers are set already, so that methods such as
	 * {@code config.useSingleServer()} return the present settings.
	 * @param config the configuration made from Spring Boot's Redis connection details
	 */
	void customize(Config config);

}
