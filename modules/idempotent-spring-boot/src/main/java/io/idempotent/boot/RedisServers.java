package io.idempotent.boot;

import java.util.Collection;
import java.util.List;

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
 * Which servers locks go to: those of the {@link RedisConnectionFactory} that the
 * application has defined itself, so that locks and records are in one Redis, or else
 * those that Spring Boot was told of.
 *
 * @param details the servers
 * @param encrypted whether connections are encrypted, where no SSL bundle says so
 */
public record RedisServers(DataRedisConnectionDetails details, boolean encrypted) {

	private static final Log logger = LogFactory.getLog(RedisServers.class);

	private static final String BOOT = "org.springframework.boot.data.redis.autoconfigure.";

	/**
	 * Finds the servers.
	 * @param beans the beans
	 * @param known what Spring Boot was told
	 * @param encrypted whether Spring Boot was told to encrypt by a URL
	 * @return the servers
	 * @throws InvalidConfigurationException if the application's connection factory does
	 * not tell its servers
	 */
	public static RedisServers of(ConfigurableListableBeanFactory beans, DataRedisConnectionDetails known,
			boolean encrypted) {
		RedisServers told = new RedisServers(known, encrypted);
		RedisConnectionFactory own = own(beans);
		RedisServers servers = (own != null) ? read(own) : told;
		return servers.addresses().equals(told.addresses()) ? told : servers;
	}

	/**
	 * Says where locks go, if Spring Boot was not told.
	 */
	public void log() {
		if (this.details instanceof OwnDetails) {
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
			return new RedisServers(OwnDetails.of(lettuce.getClusterConfiguration(), lettuce.getSentinelConfiguration(),
					lettuce.getStandaloneConfiguration()), lettuce.isUseSsl());
		}
		if (factory instanceof JedisConnectionFactory jedis) {
			return new RedisServers(OwnDetails.of(jedis.getClusterConfiguration(), jedis.getSentinelConfiguration(),
					jedis.getStandaloneConfiguration()), jedis.isUseSsl());
		}
		throw unreadable("the application's own RedisConnectionFactory, a " + factory.getClass().getName()
				+ ", does not say where its servers are");
	}

	private static InvalidConfigurationException unreadable(String why) {
		return new InvalidConfigurationException("idempotent.lock.engines", "redisson",
				why + ", so that locks might go to another Redis than its data",
				"Define a RedissonClient bean for the Redis that keeps the locks, or name another engine");
	}

	/**
	 * Tells servers apart, without credentials.
	 */
	public String addresses() {
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

	/**
	 * What a connection factory was told.
	 */
	private record OwnDetails(@Nullable String username, @Nullable String secret, @Nullable Cluster cluster,
			@Nullable Sentinel sentinel, @Nullable Standalone standalone) implements DataRedisConnectionDetails {

		static OwnDetails of(@Nullable RedisClusterConfiguration cluster, @Nullable RedisSentinelConfiguration sentinel,
				@Nullable RedisStandaloneConfiguration own) {
			if (cluster != null) {
				List<Node> nodes = nodes(cluster.getClusterNodes());
				return new OwnDetails(cluster.getUsername(), text(cluster.getPassword()), () -> nodes, null, null);
			}
			if (sentinel != null) {
				return new OwnDetails(sentinel.getUsername(), text(sentinel.getPassword()), null,
						new OwnSentinel(sentinel.getDatabase(), String.valueOf(sentinel.getRequiredMaster().getName()),
								nodes(sentinel.getSentinels()), sentinel.getSentinelUsername(),
								text(sentinel.getSentinelPassword())),
						null);
			}
			RedisStandaloneConfiguration standalone = (own != null) ? own : new RedisStandaloneConfiguration();
			return new OwnDetails(standalone.getUsername(), text(standalone.getPassword()), null, null,
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
		 * Tells no secret.
		 */
		@Override
		public String toString() {
			return "OwnDetails";
		}

	}

	private record OwnSentinel(int database, String master, List<Node> nodes, @Nullable String username,
			@Nullable String secret) implements DataRedisConnectionDetails.Sentinel {

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
		 * Tells no secret.
		 */
		@Override
		public String toString() {
			return "OwnSentinel[" + this.master + "]";
		}

	}

}
