package io.idempotent.lock.quorum.autoconfigure;

import io.idempotent.boot.lock.ConditionalOnLockEngine;
import io.idempotent.boot.lock.LockAutoConfiguration;
import io.idempotent.boot.settings.InvalidConfigurationException;
import io.idempotent.boot.settings.NodeName;
import io.idempotent.lock.engine.LockEngine;
import io.idempotent.lock.quorum.QuorumLockEngine;
import io.idempotent.support.DaemonThreads;
import org.redisson.Redisson;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;

/**
 * Auto-configuration for the lock engine {@code quorum}, on clients of its own.
 */
@AutoConfiguration(before = LockAutoConfiguration.class)
@ConditionalOnClass({ LockAutoConfiguration.class, Redisson.class })
@ConditionalOnBooleanProperty(name = { "idempotent.enabled", "idempotent.lock.enabled" }, matchIfMissing = true)
@EnableConfigurationProperties(QuorumLockProperties.class)
public final class QuorumLockAutoConfiguration {

	@Bean("io.idempotent.quorumLockEngine")
	@ConditionalOnLockEngine("quorum")
	@ConditionalOnMissingBean(name = "io.idempotent.quorumLockEngine")
	LockEngine quorumLockEngine(QuorumLockProperties properties, ConfigurableApplicationContext context) {
		// A timer of Redisson is no daemon: it would keep a finished application alive.
		DaemonThreads.runWithoutOthers("idempotent-lock-quorum-end", "redisson-timer", context::isActive,
				context::close);
		try {
			return new QuorumLockEngine(properties.servers(), properties.timeout(),
					NodeName.in(context.getEnvironment()));
		}
		catch (IllegalArgumentException ex) {
			throw new InvalidConfigurationException("idempotent.lock.quorum.servers", "(not shown)",
					"no quorum can be formed: " + ex.getMessage(),
					"Name an odd number of independent servers, such as redis://redis1:6379,redis://redis2:6379,"
							+ "redis://redis3:6379");
		}
	}

}
