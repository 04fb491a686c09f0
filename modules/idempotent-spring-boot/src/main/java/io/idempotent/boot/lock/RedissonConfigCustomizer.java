package io.idempotent.boot.lock;

import org.redisson.config.Config;

/**
 * Has the last word on the configuration of the {@code RedissonClient} that locks use.
 * Not called when the application brings a client of its own.
 */
@FunctionalInterface
public interface RedissonConfigCustomizer {

	/**
	 * Changes the configuration. It names its servers already, so that
	 * {@code config.useSingleServer()} and its likes answer what is there.
	 * @param config the configuration as it was read from Boot's Redis connection details
	 */
	void customize(Config config);

}
