package io.idempotent.lock.redis;

import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;

import io.lettuce.core.ClientOptions;
import io.lettuce.core.SocketOptions;
import io.lettuce.core.SslVerifyMode;
import io.lettuce.core.cluster.ClusterClientOptions;
import org.redisson.config.BaseConfig;
import org.redisson.config.Config;
import org.redisson.config.SentinelServersConfig;
import org.redisson.config.SslVerificationMode;

import org.springframework.data.redis.connection.RedisClusterConfiguration;
import org.springframework.data.redis.connection.RedisConfiguration;
import org.springframework.data.redis.connection.RedisConfiguration.WithAuthentication;
import org.springframework.data.redis.connection.RedisNode;
import org.springframework.data.redis.connection.RedisSentinelConfiguration;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.RedisStaticMasterReplicaConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration.LettuceClientConfigurationBuilder;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/**
 * Factories of Spring Data Redis for the servers that a configuration of Redisson names.
 */
final class TestLettuce {

	private TestLettuce() {
	}

	static LettuceConnectionFactory factory(Function<Config, BaseConfig<?>> servers) {
		Config config = new Config();
		BaseConfig<?> base = servers.apply(config);
		LettuceConnectionFactory factory = new LettuceConnectionFactory(servers(config), client(config, base));
		// A first connection to a Cluster takes longer than a call may wait on a busy
		// machine.
		factory.setEagerInitialization(config.isClusterConfig());
		factory.afterPropertiesSet();
		factory.start();
		return factory;
	}

	/** Of a static master/replica configuration, which names the master. */
	static LettuceConnectionFactory masterAndReplicas(int port) {
		LettuceConnectionFactory factory = new LettuceConnectionFactory(
				new RedisStaticMasterReplicaConfiguration("localhost", port));
		factory.afterPropertiesSet();
		return factory;
	}

	private static LettuceClientConfiguration client(Config config, BaseConfig<?> base) {
		Duration timeout = Duration.ofMillis(base.getTimeout());
		SocketOptions socket = SocketOptions.builder()
			.connectTimeout(Duration.ofMillis(base.getConnectTimeout()))
			.build();
		ClientOptions options = config.isClusterConfig() ? ClusterClientOptions.builder().socketOptions(socket).build()
				: ClientOptions.builder().socketOptions(socket).build();
		LettuceClientConfigurationBuilder client = LettuceClientConfiguration.builder()
			.commandTimeout(timeout)
			.shutdownTimeout(Duration.ZERO)
			.clientOptions(options);
		return isEncrypted(config) ? client.useSsl().verifyPeer(verification(config)).build() : client.build();
	}

	private static boolean isEncrypted(Config config) {
		return (config.isClusterConfig() ? config.useClusterServers().getNodeAddresses().stream()
				: !config.isSingleConfig() ? Stream.<String>empty() : Stream.of(config.useSingleServer().getAddress()))
			.anyMatch((address) -> address.startsWith("rediss:"));
	}

	private static SslVerifyMode verification(Config config) {
		SslVerificationMode mode = config.getSslVerificationMode();
		return switch (mode) {
			case STRICT -> SslVerifyMode.FULL;
			case CA_ONLY -> SslVerifyMode.CA;
			case NONE -> SslVerifyMode.NONE;
		};
	}

	private static RedisConfiguration servers(Config config) {
		if (config.isClusterConfig()) {
			return authenticated(config,
					new RedisClusterConfiguration(addresses(config.useClusterServers().getNodeAddresses())));
		}
		if (config.isSentinelConfig()) {
			SentinelServersConfig sentinels = config.useSentinelServers();
			RedisSentinelConfiguration servers = new RedisSentinelConfiguration().master(sentinels.getMasterName());
			addresses(sentinels.getSentinelAddresses())
				.forEach((address) -> servers.addSentinel(RedisNode.fromString(address)));
			return authenticated(config, servers);
		}
		if (!config.isSingleConfig()) {
			return masterAndReplicas(config.useReplicatedServers().getNodeAddresses());
		}
		RedisNode server = RedisNode.fromString(address(config.useSingleServer().getAddress()));
		RedisStandaloneConfiguration standalone = new RedisStandaloneConfiguration(server.getHost(), server.getPort());
		standalone.setDatabase(config.useSingleServer().getDatabase());
		return authenticated(config, standalone);
	}

	private static RedisConfiguration masterAndReplicas(List<String> urls) {
		List<RedisNode> nodes = addresses(urls).stream().map(RedisNode::fromString).toList();
		RedisStaticMasterReplicaConfiguration servers = new RedisStaticMasterReplicaConfiguration(
				nodes.get(0).getHost(), nodes.get(0).getPort());
		nodes.stream().skip(1).forEach((node) -> servers.addNode(node.getHost(), node.getPort()));
		return servers;
	}

	private static <T extends WithAuthentication> T authenticated(Config config, T servers) {
		servers.setUsername(config.getUsername());
		servers.setPassword(config.getPassword());
		return servers;
	}

	private static List<String> addresses(List<String> urls) {
		return urls.stream().map(TestLettuce::address).toList();
	}

	private static String address(String url) {
		return url.substring(url.indexOf("//") + 2);
	}

}
