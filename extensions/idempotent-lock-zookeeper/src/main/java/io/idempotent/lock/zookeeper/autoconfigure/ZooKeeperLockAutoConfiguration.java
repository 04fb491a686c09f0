package io.idempotent.lock.zookeeper.autoconfigure;

import io.idempotent.boot.lock.ConditionalOnLockEngine;
import io.idempotent.boot.lock.LockAutoConfiguration;
import io.idempotent.boot.settings.NodeName;
import io.idempotent.lock.engine.LockEngine;
import io.idempotent.lock.zookeeper.ZooKeeperLockEngine;
import io.idempotent.support.StartUpException;
import org.apache.curator.RetryPolicy;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.retry.ExponentialBackoffRetry;

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
	private static final int SESSION_TIMEOUT_MILLIS = 20_000;

	private static final int CONNECTION_TIMEOUT_MILLIS = 5000;

	private static final RetryPolicy RETRIES = new ExponentialBackoffRetry(100, 3);

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
		CuratorFrameworkFactory.Builder settings = CuratorFrameworkFactory.builder()
			.connectString(servers)
			.sessionTimeoutMs(SESSION_TIMEOUT_MILLIS)
			.connectionTimeoutMs(CONNECTION_TIMEOUT_MILLIS)
			.retryPolicy(RETRIES);
		return ZooKeeperLockEngine.connect(settings, properties.auth(), BASE_PATH, node);
	}

}
