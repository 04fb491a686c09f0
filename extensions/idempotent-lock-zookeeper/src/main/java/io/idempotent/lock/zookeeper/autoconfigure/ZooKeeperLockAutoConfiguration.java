package io.idempotent.lock.zookeeper.autoconfigure;

import java.time.Duration;

import io.idempotent.boot.lock.ConditionalOnLockEngine;
import io.idempotent.boot.lock.LockAutoConfiguration;
import io.idempotent.boot.settings.NodeName;
import io.idempotent.lock.engine.LockEngine;
import io.idempotent.lock.zookeeper.ZooKeeperLockEngine;
import io.idempotent.support.StartUpException;
import org.apache.curator.framework.CuratorFramework;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.util.StringUtils;

/**
 * Auto-configuration for the lock engine {@code zookeeper}, on the application's Curator
 * client, or on its own, which connects at the start.
 */
@AutoConfiguration(before = LockAutoConfiguration.class)
@ConditionalOnClass(LockAutoConfiguration.class)
@ConditionalOnBooleanProperty(name = { "idempotent.enabled", "idempotent.lock.enabled" }, matchIfMissing = true)
@EnableConfigurationProperties(ZooKeeperLockProperties.class)
public final class ZooKeeperLockAutoConfiguration {

	/** A chroot in the connect string, or a namespace of the client, comes before it. */
	private static final String BASE_PATH = "/idempotent/locks";

	/** A lock outlives its crashed holder for that long. */
	private static final Duration SESSION_TIMEOUT = Duration.ofSeconds(20);

	private static final Duration CONNECTION_TIMEOUT = Duration.ofSeconds(5);

	private static final int RETRIES = 3;

	private static final Duration RETRY_DELAY = Duration.ofMillis(100);

	@Bean("io.idempotent.zookeeperLockEngine")
	@ConditionalOnLockEngine("zookeeper")
	@ConditionalOnMissingBean(name = "io.idempotent.zookeeperLockEngine")
	LockEngine zookeeperLockEngine(ZooKeeperLockProperties properties, ObjectProvider<CuratorFramework> existing,
			ConfigurableEnvironment environment) {
		String node = NodeName.in(environment);
		CuratorFramework client = existing.getIfAvailable();
		if (client != null) {
			return new ZooKeeperLockEngine(client, BASE_PATH, node);
		}
		String servers = properties.connectString();
		if (!StringUtils.hasText(servers)) {
			throw new StartUpException(
					"The lock engine 'zookeeper' is selected, but there is neither "
							+ "idempotent.lock.zookeeper.connect-string nor a CuratorFramework bean",
					"Set idempotent.lock.zookeeper.connect-string, such as zk1:2181,zk2:2181,zk3:2181, define a "
							+ "CuratorFramework bean, or remove 'zookeeper' from idempotent.lock.engines",
					null);
		}
		return ZooKeeperLockEngine.connect(new ZooKeeperLockEngine.Settings(servers, SESSION_TIMEOUT,
				CONNECTION_TIMEOUT, RETRIES, RETRY_DELAY, properties.auth(), BASE_PATH), node);
	}

}
