package io.idempotent.boot.lock;

import java.util.Collection;
import java.util.List;

import io.idempotent.boot.settings.InvalidConfigurationException;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails;
import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails.Node;
import org.springframework.data.redis.connection.RedisClusterConfiguration;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.RedisNode;
import org.springframework.data.redis.connection.RedisPassword;
import org.springframework.data.redis.connection.RedisSentinelConfiguration;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/**
 * The Redis servers that keep the locks: those of the application's own
 * {@link RedisConnectionFactory}, so that locks and records are in one Redis, otherwise
 * those of Spring Boot's connection details. {@code encrypted} counts if there is no SSL
 * bundle.
 */
record RedisServers(DataRedisConnectionDetails details, boolean encrypted) {

	private static final Log logger = LogFactory.getLog(RedisServers.class);

	private static final String BOOT = "org.springframework.boot.data.redis.autoconfigure.";

	/** Fails if the servers of the application's factory cannot be determined. */
	static RedisServers of(ConfigurableListableBeanFactory beans, DataRedisConnectionDetails details,
			boolean encrypted) {
		RedisServers configured = new RedisServers(details, encrypted);
		RedisConnectionFactory own = own(beans);
		RedisServers servers = (own != null) ? read(own) : configured;
		return servers.addresses().equals(configured.addresses()) ? configured : servers;
	}

	/** Logs the servers unless they are those of Spring Boot's connection details. */
	void log() {
		if (this.details instanceof ConnectionFactoryDetails) {
			logger.info("Locks go to the Redis of the application's own RedisConnectionFactory: " + addresses());
		}
	}

	private static @Nullable RedisConnectionFactory own(ConfigurableListableBeanFactory beans) {
		String[] names = beans.getBeanNamesForType(RedisConnectionFactory.class, true, false);
		for (String name : names) {
			if (beans.containsBeanDefinition(name) && isOfBoot(beans.getBeanDefinition(name))) {
				return null;
			}
		}
		RedisConnectionFactory unique = beans.getBeanProvider(RedisConnectionFactory.class).getIfUnique();
		if (unique == null && names.length > 1) {
			throw unreadable("there are several RedisConnectionFactory beans " + List.of(names)
					+ " and none of them is @Primary");
		}
		return unique;
	}

	private static boolean isOfBoot(BeanDefinition definition) {
		return definition.getFactoryBeanName() != null && definition.getFactoryBeanName().startsWith(BOOT);
	}

	private static RedisServers read(RedisConnectionFactory factory) {
		if (factory instanceof LettuceConnectionFactory lettuce && lettuce.getSocketConfiguration() == null
				&& !lettuce.isStartTls()) {
			return new RedisServers(ConnectionFactoryDetails.of(lettuce.getClusterConfiguration(),
					lettuce.getSentinelConfiguration(), lettuce.getStandaloneConfiguration()), lettuce.isUseSsl());
		}
		if (factory instanceof JedisConnectionFactory jedis) {
			return new RedisServers(ConnectionFactoryDetails.of(jedis.getClusterConfiguration(),
					jedis.getSentinelConfiguration(), jedis.getStandaloneConfiguration()), jedis.isUseSsl());
		}
		throw unreadable("the application's own RedisConnectionFactory, a " + factory.getClass().getName()
				+ ", does not say where its servers are");
	}

	private static InvalidConfigurationException unreadable(String reason) {
		return new InvalidConfigurationException("idempotent.lock.engines", "redisson",
				reason + ", so that locks might go to another Redis than its data",
				"Define a RedissonClient bean for the Redis that keeps the locks, or name another engine");
	}

	/** Describes the servers, without credentials. */
	String addresses() {
		DataRedisConnectionDetails.Cluster cluster = this.details.getCluster();
		DataRedisConnectionDetails.Sentinel sentinel = this.details.getSentinel();
		DataRedisConnectionDetails.MasterReplica masterReplica = this.details.getMasterReplica();
		DataRedisConnectionDetails.Standalone standalone = this.details.getStandalone();
		if (sentinel != null) {
			return "master " + sentinel.getMaster() + " of the sentinels " + sorted(sentinel.getNodes()) + ", database "
					+ sentinel.getDatabase();
		}
		if (cluster != null) {
			return "cluster " + sorted(cluster.getNodes());
		}
		if (masterReplica != null) {
			return "master and replicas " + sorted(masterReplica.getNodes());
		}
		return (standalone != null) ? "server " + standalone.getHost() + ":" + standalone.getPort() + ", database "
				+ standalone.getDatabase() : "nowhere";
	}

	private static List<String> sorted(Collection<Node> nodes) {
		return nodes.stream().map((node) -> node.host() + ":" + node.port()).sorted().toList();
	}

	/** Connection details read from a connection factory of the application. */
	private record ConnectionFactoryDetails(@Nullable String username, @Nullable String secret,
			@Nullable Cluster cluster, @Nullable Sentinel sentinel,
			@Nullable Standalone standalone) implements DataRedisConnectionDetails {

		static ConnectionFactoryDetails of(@Nullable RedisClusterConfiguration cluster,
				@Nullable RedisSentinelConfiguration sentinel, @Nullable RedisStandaloneConfiguration own) {
			if (cluster != null) {
				List<Node> nodes = nodes(cluster.getClusterNodes());
				return new ConnectionFactoryDetails(cluster.getUsername(), text(cluster.getPassword()), () -> nodes,
						null, null);
			}
			if (sentinel != null) {
				return new ConnectionFactoryDetails(sentinel.getUsername(), text(sentinel.getPassword()), null,
						new FactorySentinel(sentinel.getDatabase(),
								String.valueOf(sentinel.getRequiredMaster().getName()), nodes(sentinel.getSentinels()),
								sentinel.getSentinelUsername(), text(sentinel.getSentinelPassword())),
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

		/** Without the secrets. */
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

			/** Without the secrets. */
			@Override
			public String toString() {
				return "FactorySentinel[" + this.master + "]";
			}

		}

	}

}
