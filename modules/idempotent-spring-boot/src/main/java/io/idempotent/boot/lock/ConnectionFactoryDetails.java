package io.idempotent.boot.lock;

import java.util.Collection;
import java.util.List;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails;
import org.springframework.data.redis.connection.RedisClusterConfiguration;
import org.springframework.data.redis.connection.RedisNode;
import org.springframework.data.redis.connection.RedisPassword;
import org.springframework.data.redis.connection.RedisSentinelConfiguration;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;

/**
 * Connection details read from a connection factory of the application.
 */
record ConnectionFactoryDetails(@Nullable String username, @Nullable String secret, @Nullable Cluster cluster,
		@Nullable Sentinel sentinel, @Nullable Standalone standalone) implements DataRedisConnectionDetails {

	static ConnectionFactoryDetails of(@Nullable RedisClusterConfiguration cluster,
			@Nullable RedisSentinelConfiguration sentinel, @Nullable RedisStandaloneConfiguration own) {
		if (cluster != null) {
			List<Node> nodes = nodes(cluster.getClusterNodes());
			return new ConnectionFactoryDetails(cluster.getUsername(), text(cluster.getPassword()), () -> nodes, null,
					null);
		}
		if (sentinel != null) {
			return new ConnectionFactoryDetails(sentinel.getUsername(), text(sentinel.getPassword()), null,
					new FactorySentinel(sentinel.getDatabase(), String.valueOf(sentinel.getRequiredMaster().getName()),
							nodes(sentinel.getSentinels()), sentinel.getSentinelUsername(),
							text(sentinel.getSentinelPassword())),
					null);
		}
		RedisStandaloneConfiguration standalone = (own != null) ? own : new RedisStandaloneConfiguration();
		return new ConnectionFactoryDetails(standalone.getUsername(), text(standalone.getPassword()), null, null,
				Standalone.of(standalone.getHostName(), standalone.getPort(), standalone.getDatabase()));
	}

	private static List<Node> nodes(Collection<RedisNode> nodes) {
		return nodes.stream()
			.map((node) -> new Node(String.valueOf(node.getHost()),
					(node.getPort() != null) ? node.getPort() : RedisNode.DEFAULT_PORT))
			.toList();
	}

	private static @Nullable String text(RedisPassword password) {
		return password.map(String::new).orElse(null);
	}

	@Override
	public @Nullable String getUsername() {
		return this.username;
	}

	@Override
	public @Nullable String getPassword() {
		return this.secret;
	}

	@Override
	public @Nullable Cluster getCluster() {
		return this.cluster;
	}

	@Override
	public @Nullable Sentinel getSentinel() {
		return this.sentinel;
	}

	@Override
	public @Nullable Standalone getStandalone() {
		return this.standalone;
	}

	/**
	 * Without the secrets.
	 */
	@Override
	public String toString() {
		return "ConnectionFactoryDetails";
	}

	private record FactorySentinel(int database, String master, List<Node> nodes, @Nullable String username,
			@Nullable String secret) implements Sentinel {

		@Override
		public int getDatabase() {
			return this.database;
		}

		@Override
		public String getMaster() {
			return this.master;
		}

		@Override
		public List<Node> getNodes() {
			return this.nodes;
		}

		@Override
		public @Nullable String getUsername() {
			return this.username;
		}

		@Override
		public @Nullable String getPassword() {
			return this.secret;
		}

		/**
		 * Without the secrets.
		 */
		@Override
		public String toString() {
			return "FactorySentinel[" + this.master + "]";
		}

	}

}
