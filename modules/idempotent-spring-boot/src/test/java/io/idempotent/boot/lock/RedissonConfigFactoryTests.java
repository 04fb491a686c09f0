package io.idempotent.boot.lock;

import org.junit.jupiter.api.Test;
import org.redisson.client.codec.StringCodec;
import org.redisson.config.BaseConfig;
import org.redisson.config.BaseMasterSlaveServersConfig;
import org.redisson.config.ClusterServersConfig;
import org.redisson.config.Config;
import org.redisson.config.ReadMode;
import org.redisson.config.ReplicatedServersConfig;
import org.redisson.config.SentinelServersConfig;
import org.redisson.config.SingleServerConfig;
import org.redisson.config.SslVerificationMode;
import org.redisson.config.SubscriptionMode;
import org.redisson.misc.RedisURI;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.ssl.SslAutoConfiguration;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails;
import org.springframework.boot.data.redis.autoconfigure.DataRedisProperties;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;

class RedissonConfigFactoryTests {

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(SslAutoConfiguration.class, DataRedisAutoConfiguration.class));

	private Config create(String... properties) {
		Config[] config = new Config[1];
		this.runner.withPropertyValues(properties)
			.run((context) -> config[0] = new RedissonConfigFactory(context.getBean(DataRedisConnectionDetails.class),
					context.getBean(DataRedisProperties.class))
				.create());
		return config[0];
	}

	@Test
	void oneServerOnThisMachineIsTheDefault() {
		assertThat(create().useSingleServer().getAddress()).isEqualTo("redis://localhost:6379");
	}

	@Test
	void aServerHasHostPortAndDatabase() {
		SingleServerConfig server = create("spring.data.redis.host=redis.example", "spring.data.redis.port=6380",
				"spring.data.redis.database=3")
			.useSingleServer();
		assertThat(server.getAddress()).isEqualTo("redis://redis.example:6380");
		assertThat(server.getDatabase()).isEqualTo(3);
	}

	@Test
	void aUrlContainsAllSettings() {
		Config config = create("spring.data.redis.url=rediss://alice:secret@redis.example:6380/5");
		assertThat(config.useSingleServer().getAddress()).isEqualTo("rediss://redis.example:6380");
		assertThat(config.useSingleServer().getDatabase()).isEqualTo(5);
		assertThat(config.getUsername()).isEqualTo("alice");
		assertThat(config.getPassword()).isEqualTo("secret");
	}

	@Test
	void withoutCredentialsThereAreNone() {
		Config config = create();
		assertThat(config.getUsername()).isNull();
		assertThat(config.getPassword()).isNull();
	}

	@Test
	void anIpv6AddressIsUnderstood() {
		String address = create("spring.data.redis.host=::1").useSingleServer().getAddress();
		assertThat(new RedisURI(address).getPort()).isEqualTo(6379);
	}

	@Test
	void sentinelsHaveNodesMasterDatabaseAndCredentialsOfTheirOwn() {
		Config config = create("spring.data.redis.sentinel.nodes=one:26379,two:26380",
				"spring.data.redis.sentinel.master=orders", "spring.data.redis.sentinel.username=watcher",
				"spring.data.redis.sentinel.password=watchword", "spring.data.redis.username=alice",
				"spring.data.redis.password=secret", "spring.data.redis.database=2");
		SentinelServersConfig servers = config.useSentinelServers();
		assertThat(servers.getSentinelAddresses()).containsExactly("redis://one:26379", "redis://two:26380");
		assertThat(servers.getMasterName()).isEqualTo("orders");
		assertThat(servers.getDatabase()).isEqualTo(2);
		assertThat(servers.getSentinelUsername()).isEqualTo("watcher");
		assertThat(servers.getSentinelPassword()).isEqualTo("watchword");
		assertThat(config.getUsername()).isEqualTo("alice");
		assertThat(config.getPassword()).isEqualTo("secret");
	}

	@Test
	void aClusterHasNodes() {
		ClusterServersConfig servers = create("spring.data.redis.cluster.nodes=one:7000,two:7001").useClusterServers();
		assertThat(servers.getNodeAddresses()).containsExactly("redis://one:7000", "redis://two:7001");
	}

	@Test
	void masterAndReplicasAreFoundByTheirRole() {
		ReplicatedServersConfig servers = create("spring.data.redis.masterreplica.nodes=one:6379,two:6380")
			.useReplicatedServers();
		assertThat(servers.getNodeAddresses()).containsExactly("redis://one:6379", "redis://two:6380");
	}

	@Test
	void sentinelsComeBeforeACluster() {
		Config config = create("spring.data.redis.sentinel.nodes=one:26379", "spring.data.redis.sentinel.master=orders",
				"spring.data.redis.cluster.nodes=two:7000");
		assertThat(config.isSentinelConfig()).isTrue();
	}

	@Test
	void aClusterComesBeforeMasterAndReplicas() {
		Config config = create("spring.data.redis.cluster.nodes=one:7000",
				"spring.data.redis.masterreplica.nodes=two:6379");
		assertThat(config.isClusterConfig()).isTrue();
	}

	@Test
	void replicasAreNeverRead() {
		BaseMasterSlaveServersConfig<?> servers = create("spring.data.redis.cluster.nodes=one:7000")
			.useClusterServers();
		assertThat(servers.getReadMode()).isEqualTo(ReadMode.MASTER);
		assertThat(servers.getSubscriptionMode()).isEqualTo(SubscriptionMode.MASTER);
	}

	@Test
	void timeoutsAndClientNameAreThoseOfBoot() {
		BaseConfig<?> server = create("spring.data.redis.timeout=700ms", "spring.data.redis.connect-timeout=2s",
				"spring.data.redis.client-name=orders")
			.useSingleServer();
		assertThat(server.getTimeout()).isEqualTo(700);
		assertThat(server.getConnectTimeout()).isEqualTo(2000);
		assertThat(server.getClientName()).isEqualTo("orders");
	}

	@Test
	void timeoutsAreShortWhereBootHasNoneOrZero() {
		BaseConfig<?> server = create("spring.data.redis.timeout=0").useSingleServer();
		assertThat(server.getTimeout()).isEqualTo(3000);
		assertThat(server.getConnectTimeout()).isEqualTo(3000);
	}

	@Test
	void anUnavailableRedisIsRetriedOnce() {
		assertThat(create().useSingleServer().getRetryAttempts()).isEqualTo(1);
		assertThat(create("spring.data.redis.cluster.nodes=one:7000").useClusterServers().getRetryAttempts())
			.isEqualTo(1);
	}

	@Test
	void theSslBundleEncryptsAndVerifies() {
		Config config = create("spring.data.redis.ssl.enabled=true");
		assertThat(config.useSingleServer().getAddress()).startsWith("rediss://");
		assertThat(config.getSslTrustManagerFactory()).isNotNull();
		assertThat(config.getSslKeyManagerFactory()).isNotNull();
		assertThat(config.getSslVerificationMode()).isEqualTo(SslVerificationMode.STRICT);
	}

	@Test
	void theSslBundleChoosesProtocolsAndCiphers() {
		Config config = create("spring.data.redis.ssl.bundle=redis",
				"spring.ssl.bundle.jks.redis.options.enabled-protocols=TLSv1.3",
				"spring.ssl.bundle.jks.redis.options.ciphers=TLS_AES_256_GCM_SHA384");
		assertThat(config.getSslProtocols()).containsExactly("TLSv1.3");
		assertThat(config.getSslCiphers()).containsExactly("TLS_AES_256_GCM_SHA384");
	}

	@Test
	void theSslBundleEncryptsEveryNode() {
		Config config = create("spring.data.redis.ssl.enabled=true",
				"spring.data.redis.cluster.nodes=one:7000,two:7001");
		assertThat(config.useClusterServers().getNodeAddresses()).containsExactly("rediss://one:7000",
				"rediss://two:7001");
	}

	@Test
	void storedDataNeverDeterminesAClass() {
		Config config = create();
		assertThat(config.getCodec()).isSameAs(StringCodec.INSTANCE);
		assertThat(config.isReferenceEnabled()).isFalse();
	}

}
