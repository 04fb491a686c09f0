package io.idempotent.boot.lock;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.function.IntConsumer;

import io.idempotent.boot.internal.redis.RedisDetails;
import io.idempotent.boot.settings.InvalidConfigurationException;
import io.idempotent.support.DaemonThreads;
import org.jspecify.annotations.Nullable;
import org.redisson.client.codec.StringCodec;
import org.redisson.config.BaseConfig;
import org.redisson.config.BaseMasterSlaveServersConfig;
import org.redisson.config.Config;
import org.redisson.config.ReadMode;
import org.redisson.config.SentinelServersConfig;
import org.redisson.config.SingleServerConfig;
import org.redisson.config.SslVerificationMode;
import org.redisson.config.SubscriptionMode;

import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.ssl.SslManagerBundle;
import org.springframework.boot.ssl.SslOptions;
import org.springframework.data.redis.connection.RedisClusterConfiguration;
import org.springframework.data.redis.connection.RedisConfiguration.WithAuthentication;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.RedisNode;
import org.springframework.data.redis.connection.RedisPassword;
import org.springframework.data.redis.connection.RedisSentinelConfiguration;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/**
 * Maps a connection factory of Spring Data Redis, that of Spring Boot or of the
 * application, to a Redisson {@link Config}: the same servers, credentials, encryption,
 * timeouts and client name, so that locks and records are in one Redis. Settings that
 * Spring Boot does not have are sized for locks.
 */
final class RedissonConfigFactory {

	// A lock is a short script and an occasional message: an event loop only encodes and
	// decodes, and one needs two thirds of the processor time of four, since it is
	// seldom woken for a single reply. Redisson's default (32) is meant for collections
	// and caches.
	private static final int EVENT_LOOPS = 1;

	// Redisson's 24 idle connections per server would cost every node of an application
	// more connections than all of its Lettuce traffic, which shares one.
	private static final int IDLE_CONNECTIONS = 1;

	private static final int CONNECTIONS = 16;

	// Each lock with waiters is one subscription: 1,000 of them on 10 connections, where
	// the defaults allow 250 on 50.
	private static final int SUBSCRIPTIONS_PER_CONNECTION = 100;

	private static final int SUBSCRIPTION_CONNECTIONS = 10;

	// A caller should learn quickly that Redis is unavailable, and may retry. Redisson's
	// 5 attempts to connect of 10 seconds each would block it for a minute.
	private static final int RETRIES = 1;

	private static final int CONNECT_TIMEOUT = 3000;

	private final Servers servers;

	private final RedisDetails details;

	/** Fails if the servers of the factory cannot be determined. */
	RedissonConfigFactory(RedisConnectionFactory factory, RedisDetails details) {
		this.servers = Servers.of(factory);
		this.details = details;
	}

	/** Creates the configuration. Nothing is connected. */
	Config create() {
		Config config = new Config();
		config.setLazyInitialization(true);
		config.setExecutor(DaemonThreads.workers("redisson"));
		config.setNettyThreads(EVENT_LOOPS);
		config.setNettyExecutor((task) -> DaemonThreads.start("redisson-netty", task));
		// Stored data is never deserialized to a class that it names itself.
		config.setCodec(StringCodec.INSTANCE);
		config.setReferenceEnabled(false);
		applySsl(config);
		applyServers(config);
		return config;
	}

	private void applySsl(Config config) {
		config.setSslVerificationMode(this.servers.verification());
		SslBundle bundle = this.servers.encrypted() ? this.details.sslBundle() : null;
		if (bundle == null) {
			return;
		}
		SslManagerBundle managers = bundle.getManagers();
		config.setSslKeyManagerFactory(managers.getKeyManagerFactory());
		config.setSslTrustManagerFactory(managers.getTrustManagerFactory());
		SslOptions options = bundle.getOptions();
		config.setSslCiphers(options.getCiphers());
		config.setSslProtocols(options.getEnabledProtocols());
	}

	private void applyServers(Config config) {
		RedisSentinelConfiguration sentinel = this.servers.sentinel();
		RedisClusterConfiguration cluster = this.servers.cluster();
		// A factory does not tell them.
		List<RedisDetails.Node> masterAndReplicas = this.details.masterAndReplicas();
		if (sentinel != null) {
			useSentinel(config, sentinel);
		}
		else if (cluster != null) {
			authenticate(config, cluster);
			applyCommon(config.useClusterServers()).addNodeAddress(addresses(cluster.getClusterNodes()));
		}
		else if (!masterAndReplicas.isEmpty()) {
			// Like Lettuce, Redisson asks each node for its role, in any order.
			config.setUsername(this.details.username()).setPassword(this.details.password());
			applyCommon(config.useReplicatedServers()).addNodeAddress(
					masterAndReplicas.stream().map((node) -> address(node.host(), node.port())).toArray(String[]::new));
		}
		else {
			useStandalone(config, this.servers.standalone());
		}
	}

	private static void authenticate(Config config, WithAuthentication servers) {
		config.setUsername(servers.getUsername());
		config.setPassword(text(servers.getPassword()));
	}

	private static @Nullable String text(RedisPassword password) {
		return password.map(String::new).orElse(null);
	}

	private void useSentinel(Config config, RedisSentinelConfiguration sentinel) {
		authenticate(config, sentinel);
		SentinelServersConfig servers = applyCommon(config.useSentinelServers());
		servers.setMasterName(Objects.requireNonNull(sentinel.getMaster()).getName());
		servers.addSentinelAddress(addresses(sentinel.getSentinels()));
		servers.setDatabase(sentinel.getDatabase());
		servers.setSentinelUsername(sentinel.getSentinelUsername());
		servers.setSentinelPassword(text(sentinel.getSentinelPassword()));
		// One known sentinel is enough to start with, as for Lettuce.
		servers.setCheckSentinelsList(false);
		if (servers.getSentinelPassword() != null && config.getPassword() == null) {
			// Redisson sends sentinels a password only if it has one for the servers.
			// A server without passwords accepts any from its default user.
			config.setUsername("default").setPassword("");
		}
	}

	private void useStandalone(Config config, RedisStandaloneConfiguration standalone) {
		authenticate(config, standalone);
		SingleServerConfig server = config.useSingleServer();
		applyClient(server);
		server.setAddress(address(standalone.getHostName(), standalone.getPort()));
		server.setDatabase(standalone.getDatabase());
		server.setConnectionMinimumIdleSize(IDLE_CONNECTIONS);
		server.setConnectionPoolSize(CONNECTIONS);
		server.setSubscriptionConnectionPoolSize(SUBSCRIPTION_CONNECTIONS);
	}

	private <T extends BaseMasterSlaveServersConfig<T>> T applyCommon(T servers) {
		applyClient(servers);
		// A replica may not have received a lock yet, so replicas are not used at all.
		servers.setReadMode(ReadMode.MASTER);
		servers.setSubscriptionMode(SubscriptionMode.MASTER);
		servers.setMasterConnectionMinimumIdleSize(IDLE_CONNECTIONS);
		servers.setMasterConnectionPoolSize(CONNECTIONS);
		servers.setSubscriptionConnectionPoolSize(SUBSCRIPTION_CONNECTIONS);
		return servers;
	}

	private void applyClient(BaseConfig<?> servers) {
		servers.setSubscriptionsPerConnection(SUBSCRIPTIONS_PER_CONNECTION);
		servers.setClientName(this.details.clientName());
		servers.setRetryAttempts(RETRIES);
		servers.setConnectTimeout(CONNECT_TIMEOUT);
		applyMillis(this.details.timeout(), servers::setTimeout);
		applyMillis(this.details.connectTimeout(), servers::setConnectTimeout);
	}

	// For Lettuce zero means no timeout, but a lock request must time out.
	private static void applyMillis(@Nullable Duration duration, IntConsumer setting) {
		if (duration != null && duration.toMillis() > 0) {
			setting.accept(Math.toIntExact(duration.toMillis()));
		}
	}

	private String[] addresses(Collection<RedisNode> nodes) {
		return nodes.stream()
			.map((node) -> address(String.valueOf(node.getHost()),
					(node.getPort() != null) ? node.getPort() : RedisNode.DEFAULT_PORT))
			.toArray(String[]::new);
	}

	private String address(String host, int port) {
		return (this.servers.encrypted() ? "rediss://" : "redis://") + host + ":" + port;
	}

	static InvalidConfigurationException unreadable(String reason) {
		return new InvalidConfigurationException("idempotent.lock.engines", "redisson",
				reason + ", so that locks might go to another Redis than its data",
				"Define a RedissonClient bean for the Redis that keeps the locks, or name another engine");
	}

	/** What a connection factory tells of its servers. */
	private record Servers(@Nullable RedisClusterConfiguration cluster, @Nullable RedisSentinelConfiguration sentinel,
			RedisStandaloneConfiguration standalone, boolean encrypted, SslVerificationMode verification) {

		static Servers of(RedisConnectionFactory factory) {
			if (factory instanceof LettuceConnectionFactory lettuce && lettuce.getSocketConfiguration() == null
					&& !lettuce.isStartTls()) {
				return new Servers(lettuce.getClusterConfiguration(), lettuce.getSentinelConfiguration(),
						lettuce.getStandaloneConfiguration(), lettuce.isUseSsl(),
						// By name, since Lettuce may be missing.
						switch (String.valueOf(lettuce.getClientConfiguration().getVerifyMode())) {
							case "NONE" -> SslVerificationMode.NONE;
							case "CA" -> SslVerificationMode.CA_ONLY;
							default -> SslVerificationMode.STRICT;
						});
			}
			if (factory instanceof JedisConnectionFactory jedis) {
				return new Servers(jedis.getClusterConfiguration(), jedis.getSentinelConfiguration(), Objects
					.requireNonNullElseGet(jedis.getStandaloneConfiguration(), RedisStandaloneConfiguration::new),
						jedis.isUseSsl(), SslVerificationMode.STRICT);
			}
			throw unreadable("the RedisConnectionFactory, a " + factory.getClass().getName()
					+ ", does not say where its servers are");
		}

	}

}
