package io.idempotent.boot.lock;

import java.time.Duration;

import io.idempotent.boot.lock.LockProperties.ZooKeeper;
import io.idempotent.boot.settings.NodeName;
import io.idempotent.lock.engine.LockEngine;
import io.idempotent.lock.zookeeper.ZooKeeperLockEngine;
import org.apache.curator.framework.CuratorFramework;

import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.ConfigurableEnvironment;

/**
 * The lock engine {@code zookeeper}, on the application's Curator client or on its own.
 */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass(ZooKeeperLockEngine.class)
@ConditionalOnLockEngine("zookeeper")
class ZooKeeperEngineConfiguration {

	/** A chroot in the connect string, or a namespace of the client, comes before it. */
	private static final String BASE_PATH = "/idempotent/locks";

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnBean(CuratorFramework.class)
	static class ExistingClient {

		@Bean("io.idempotent.zookeeperLockEngine")
		@ConditionalOnMissingBean(name = "io.idempotent.zookeeperLockEngine")
		LockEngine zookeeperLockEngine(CuratorFramework client, ConfigurableEnvironment environment) {
			return new ZooKeeperLockEngine(client, BASE_PATH, NodeName.in(environment));
		}

	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnMissingBean(CuratorFramework.class)
	@ConditionalOnProperty("idempotent.lock.zookeeper.connect-string")
	static class OwnClient {

		/** A lock outlives its crashed holder for that long. */
		private static final Duration SESSION_TIMEOUT = Duration.ofSeconds(20);

		private static final Duration CONNECTION_TIMEOUT = Duration.ofSeconds(5);

		private static final int RETRIES = 3;

		private static final Duration RETRY_DELAY = Duration.ofMillis(100);

		@Bean("io.idempotent.zookeeperLockEngine")
		@ConditionalOnMissingBean(name = "io.idempotent.zookeeperLockEngine")
		LockEngine zookeeperLockEngine(LockProperties properties, ConfigurableEnvironment environment) {
			ZooKeeper zookeeper = properties.zookeeper();
			return ZooKeeperLockEngine.connect(
					new ZooKeeperLockEngine.Settings(String.valueOf(zookeeper.connectString()), SESSION_TIMEOUT,
							CONNECTION_TIMEOUT, RETRIES, RETRY_DELAY, zookeeper.auth(), BASE_PATH),
					NodeName.in(environment));
		}

	}

}
