package io.idempotent.boot.lock;

import java.time.Duration;
import java.util.List;
import java.util.function.IntConsumer;

import io.idempotent.support.DaemonThreads;
import io.idempotent.support.LeaseRenewer;
import org.jspecify.annotations.Nullable;
import org.redisson.client.codec.StringCodec;
import org.redisson.config.BaseConfig;
import org.redisson.config.BaseMasterSlaveServersConfig;
import org.redisson.config.Config;
import org.redisson.config.ReadMode;
import org.redisson.config.SentinelServersConfig;
import org.redisson.config.SingleServerConfig;
import org.redisson.config.SubscriptionMode;

import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails;
import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails.Cluster;
import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails.MasterReplica;
import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails.Node;
import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails.Sentinel;
import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails.Standalone;
import org.springframework.boot.data.redis.autoconfigure.DataRedisProperties;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.ssl.SslManagerBundle;
import org.springframework.boot.ssl.SslOptions;
import org.springframework.util.Assert;

/**
 * Maps Spring Boot's Redis connection details to a Redisson {@link Config}: the same
 * servers in the same order of precedence, credentials, encryption, timeouts and client
 * name as for Lettuce. Settings that Spring Boot does not have are sized for locks.
 */
final class RedissonConfigFactory {

	// A lock is a short script and an occasional message: event loops only encode and
	// decode, worker threads only pass messages on. Redisson's defaults (32 and 16) are
	// meant for collections and caches.
	private static final int THREADS = 4;

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

	private final DataRedisConnectionDetails details;

	private final boolean encrypted;

	private final DataRedisProperties properties;

	private final @Nullable SslBundle sslBundle;

	RedissonConfigFactory(DataRedisConnectionDetails details, DataRedisProperties properties) {
		this(new RedisServers(details, isEncrypted(properties)), properties);
	}

	RedissonConfigFactory(RedisServers servers, DataRedisProperties properties) {
		DataRedisConnectionDetails details = servers.details();
		this.details = details;
		this.encrypted = servers.encrypted();
		this.properties = properties;
		this.sslBundle = details.getSslBundle();
	}

	/** Creates the configuration. Nothing is connected. */
	Config create() {
		Config config = new Config();
		config.setLazyInitialization(true);
		config.setExecutor(LeaseRenewer.workers("redisson"));
		config.setNettyThreads(THREADS);
		config.setNettyExecutor((task) -> DaemonThreads.start("redisson-netty", task));
		// Stored data is never deserialized to a class that it names itself.
		config.setCodec(StringCodec.INSTANCE);
		config.setReferenceEnabled(false);
		config.setUsername(this.details.getUsername());
		config.setPassword(this.details.getPassword());
		applySsl(config);
		applyServers(config);
		return config;
	}

	private void applySsl(Config config) {
		if (this.sslBundle == null) {
			return;
		}
		SslManagerBundle managers = this.sslBundle.getManagers();
		config.setSslKeyManagerFactory(managers.getKeyManagerFactory());
		config.setSslTrustManagerFactory(managers.getTrustManagerFactory());
		SslOptions options = this.sslBundle.getOptions();
		config.setSslCiphers(options.getCiphers());
		config.setSslProtocols(options.getEnabledProtocols());
	}

	private void applyServers(Config config) {
		Sentinel sentinel = this.details.getSentinel();
		Cluster cluster = this.details.getCluster();
		MasterReplica masterReplica = this.details.getMasterReplica();
		if (sentinel != null) {
			useSentinel(config, sentinel);
		}
		else if (cluster != null) {
			applyCommon(config.useClusterServers()).addNodeAddress(addresses(cluster.getNodes()));
		}
		else if (masterReplica != null) {
			// Like Lettuce, Redisson asks each node for its role; the order is
			// irrelevant.
			applyCommon(config.useReplicatedServers()).addNodeAddress(addresses(masterReplica.getNodes()));
		}
		else {
			useStandalone(config);
		}
	}

	private void useSentinel(Config config, Sentinel sentinel) {
		SentinelServersConfig servers = applyCommon(config.useSentinelServers());
		servers.setMasterName(sentinel.getMaster());
		servers.addSentinelAddress(addresses(sentinel.getNodes()));
		servers.setDatabase(sentinel.getDatabase());
		servers.setSentinelUsername(sentinel.getUsername());
		servers.setSentinelPassword(sentinel.getPassword());
		// One known sentinel is enough to start with, as for Lettuce.
		servers.setCheckSentinelsList(false);
		if (sentinel.getPassword() != null && config.getPassword() == null) {
			// Redisson sends sentinels a password only if it has one for the servers.
			// A server without passwords accepts any from its default user.
			config.setUsername("default").setPassword("");
		}
	}

	private void useStandalone(Config config) {
		Standalone standalone = this.details.getStandalone();
		Assert.state(standalone != null, "The Redis connection details name no server");
		SingleServerConfig server = config.useSingleServer();
		applyClient(server);
		server.setAddress(address(standalone.getHost(), standalone.getPort()));
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
		servers.setClientName(this.properties.getClientName());
		servers.setRetryAttempts(RETRIES);
		servers.setConnectTimeout(CONNECT_TIMEOUT);
		applyMillis(this.properties.getTimeout(), servers::setTimeout);
		applyMillis(this.properties.getConnectTimeout(), servers::setConnectTimeout);
	}

	// For Lettuce zero means no timeout, but a lock request must time out.
	private static void applyMillis(@Nullable Duration duration, IntConsumer setting) {
		if (duration != null && duration.toMillis() > 0) {
			setting.accept(Math.toIntExact(duration.toMillis()));
		}
	}

	private String[] addresses(List<Node> nodes) {
		return nodes.stream().map((node) -> address(node.host(), node.port())).toArray(String[]::new);
	}

	private String address(String host, int port) {
		return ((this.encrypted || this.sslBundle != null) ? "rediss://" : "redis://") + host + ":" + port;
	}

	// A URL can ask for encryption without naming a bundle.
	static boolean isEncrypted(DataRedisProperties properties) {
		String url = properties.getUrl();
		return url != null && url.startsWith("rediss://");
	}

}
