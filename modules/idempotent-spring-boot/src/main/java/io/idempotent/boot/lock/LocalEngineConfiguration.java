package io.idempotent.boot.lock;

import io.idempotent.lock.engine.LockEngine;
import io.idempotent.lock.local.LocalLockEngine;

import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * The lock engine {@code local}, for the threads of one JVM.
 */
@Configuration(proxyBeanMethods = false)
@ConditionalOnLockEngine("local")
class LocalEngineConfiguration {

	@Bean
	@ConditionalOnMissingBean(name = "localLockEngine")
	LockEngine localLockEngine() {
		return new LocalLockEngine();
	}

}
