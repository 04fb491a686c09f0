package io.idempotent.lock.zookeeper.autoconfigure;

import io.idempotent.boot.settings.PropertyAssertions;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.ConfigurationProperties;

/**
 * Properties of locks in ZooKeeper, for applications without a CuratorFramework bean.
 *
 * @param connectString Servers of the ensemble, as host:port, separated by commas. A path
 * at the end is the root of all nodes (chroot). Read by the module
 * idempotent-lock-zookeeper.
 * @param auth User and password for digest authentication, as user:password. Then only
 * this user has access to the locks.
 */
@ConfigurationProperties("idempotent.lock.zookeeper")
record ZooKeeperLockProperties(@Nullable String connectString, @Nullable String auth) {

	ZooKeeperLockProperties {
		PropertyAssertions.that(auth == null || auth.indexOf(':') > 0, "idempotent.lock.zookeeper.auth", "(not shown)",
				"it has no user before a colon", "Write it as user:password");
	}

	/** Without the secrets. */
	@Override
	public String toString() {
		return "ZooKeeperLockProperties[connectString=" + this.connectString + "]";
	}

}
