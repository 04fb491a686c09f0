package io.idempotent.boot.lock;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;

import io.idempotent.boot.internal.redis.RedisDetails;
import io.idempotent.boot.settings.InvalidConfigurationException;
import org.junit.jupiter.api.Test;
import org.redisson.Redisson;
import org.redisson.api.RedissonClient;
import org.redisson.client.codec.StringCodec;
import org.redisson.config.BaseConfig;
import org.redisson.config.BaseMasterSlaveServersConfig;
import org.redisson.config.Config;
import org.redisson.config.ReadMode;
import org.redisson.config.SentinelServersConfig;
import org.redisson.config.SslVerificationMode;
import org.redisson.config.SubscriptionMode;
import org.redisson.misc.RedisURI;

import org.springframework.aop.framework.autoproxy.AutoProxyUtils;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.ssl.SslAutoConfiguration;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.data.redis.connection.RedisClusterConfiguration;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.RedisSentinelConfiguration;
import org.springframework.data.redis.connection.RedisSocketConfiguration;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;
import static org.assertj.core.api.Assertions.assertThatNoException;
import static org.awaitility.Awaitility.await;
import static org.mockito.Mockito.mock;

class RedissonClientAutoConfigurationTests {

	private final ApplicationContextRunner runner = new ApplicationContextRunner().withConfiguration(AutoConfigurations
		.of(SslAutoConfiguration.class, DataRedisAutoConfiguration.class, RedissonClientAutoConfiguration.class));

	@Test
	void aLookupByTypeDoesNotCreateTheClient() {
		this.runner.run((context) -> {
			assertThat(context.getBeanNamesForType(RedissonClient.class)).hasSize(1);
			assertThat(created(context)).isFalse();
		});
	}

	@Test
	void springLooksForNoListenersInTheTypesOfTheClient() {
		this.runner.run((context) -> assertThat(
				AutoProxyUtils.determineTargetClass(context.getBeanFactory(), "io.idempotent.redissonClient"))
			.isEqualTo(Object.class));
	}

	@Test
	void theClientEndsWithItsContext() {
		RedissonClient[] client = new RedissonClient[1];
		this.runner.run((context) -> client[0] = context.getBean(RedissonClient.class));
		assertThat(client[0].isShutdown()).isTrue();
	}

	@Test
	void aClientThatIsCreatedWhileItsContextClosesIsShutDown() {
		CountDownLatch creating = new CountDownLatch(1);
		CountDownLatch closing = new CountDownLatch(1);
		this.runner.withBean(AutoCloseable.class, () -> closing::countDown)
			.withBean(RedissonConfigCustomizer.class, () -> (config) -> {
				creating.countDown();
				assertThatNoException().isThrownBy(closing::await);
			})
			.run((context) -> {
				CompletableFuture<RedissonClient> client = CompletableFuture
					.supplyAsync(() -> context.getBean(RedissonClient.class));
				creating.await();
				context.close();
				await().until(() -> client.join().isShutdown());
			});
	}

	@Test
	void theUsersOwnClientWins() {
		this.runner.withUserConfiguration(OwnClient.class)
			.run((context) -> assertThat(context).getBean(RedissonClient.class).isSameAs(OwnClient.CLIENT));
	}

	@Test
	void locksUseTheServersOfTheConnectionFactory() {
		RedisStandaloneConfiguration server = new RedisStandaloneConfiguration("data.example", 6390);
		server.setDatabase(3);
		server.setUsername("shop");
		server.setPassword("shop-secret");
		own(new LettuceConnectionFactory(server)).run((context) -> {
			Config config = context.getBean(RedissonClient.class).getConfig();
			assertThat(config.useSingleServer().getAddress()).isEqualTo("redis://data.example:6390");
			assertThat(config.useSingleServer().getDatabase()).isEqualTo(3);
			assertThat(config.getUsername()).isEqualTo("shop");
			assertThat(config.getPassword()).isEqualTo("shop-secret");
		});
	}

	@Test
	void locksUseTheSentinelsOrClusterOfTheConnectionFactory() {
		RedisSentinelConfiguration sentinels = new RedisSentinelConfiguration().master("orders")
			.sentinel("one.example", 26379)
			.sentinel("two.example", 26379);
		own(new LettuceConnectionFactory(sentinels)).run((context) -> {
			SentinelServersConfig servers = context.getBean(RedissonClient.class).getConfig().useSentinelServers();
			assertThat(servers.getMasterName()).isEqualTo("orders");
			assertThat(servers.getSentinelAddresses()).containsExactlyInAnyOrder("redis://one.example:26379",
					"redis://two.example:26379");
		});
		RedisClusterConfiguration cluster = new RedisClusterConfiguration().clusterNode("a.example", 7000)
			.clusterNode("b.example", 7001);
		LettuceClientConfiguration encrypted = LettuceClientConfiguration.builder().useSsl().build();
		own(new LettuceConnectionFactory(cluster, encrypted)).run((context) -> assertThat(
				context.getBean(RedissonClient.class).getConfig().useClusterServers().getNodeAddresses())
			.containsExactlyInAnyOrder("rediss://a.example:7000", "rediss://b.example:7001"));
	}

	@Test
	void aConnectionFactoryWithUnknownServersIsRefused() {
		own(mock(RedisConnectionFactory.class)).run((context) -> {
			assertThat(context).hasNotFailed();
			assertThatException().isThrownBy(() -> context.getBean(RedissonClient.class))
				.havingRootCause()
				.isInstanceOf(InvalidConfigurationException.class)
				.withMessageContainingAll("does not say where its servers are", "Define a RedissonClient bean");
		});
		own(new LettuceConnectionFactory(new RedisSocketConfiguration("/run/redis.sock")))
			.run((context) -> assertThatException().isThrownBy(() -> context.getBean(RedissonClient.class)));
	}

	@Test
	void thePrimaryConnectionFactoryIsUsed() {
		ApplicationContextRunner two = this.runner.withBean("one", RedisConnectionFactory.class,
				() -> new LettuceConnectionFactory("one.example", 1));
		two.withBean("two", RedisConnectionFactory.class, () -> new LettuceConnectionFactory("two.example", 2),
				(definition) -> definition.setPrimary(true))
			.run((context) -> assertThat(
					context.getBean(RedissonClient.class).getConfig().useSingleServer().getAddress())
				.isEqualTo("redis://two.example:2"));
		two.withBean("two", RedisConnectionFactory.class, () -> new LettuceConnectionFactory("two.example", 2))
			.run((context) -> assertThatException().isThrownBy(() -> context.getBean(RedissonClient.class))
				.havingRootCause()
				.withMessageContaining("none of them is @Primary"));
	}

	private ApplicationContextRunner own(RedisConnectionFactory factory) {
		return this.runner.withBean("ownConnectionFactory", RedisConnectionFactory.class, () -> factory);
	}

	@Test
	void customizersAreAppliedLast() {
		this.runner
			.withBean(RedissonConfigCustomizer.class,
					() -> (config) -> config.useSingleServer().setAddress("redis://elsewhere.example:1"))
			.run((context) -> assertThat(
					context.getBean(RedissonClient.class).getConfig().useSingleServer().getAddress())
				.isEqualTo("redis://elsewhere.example:1"));
	}

	@Test
	void idempotentEnabledSwitchesItOff() {
		this.runner.withPropertyValues("idempotent.enabled=false")
			.run((context) -> assertThat(context).doesNotHaveBean(RedissonClient.class));
	}

	@Test
	void withoutRedissonThereIsNoClient() {
		this.runner.withClassLoader(new FilteredClassLoader(Redisson.class))
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean("io.idempotent.redissonClient"));
	}

	@Test
	void withoutSpringDataRedisThereIsNoClient() {
		this.runner.withClassLoader(new FilteredClassLoader("org.springframework.data.redis"))
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(RedissonClient.class));
	}

	@Test
	void withoutAConnectionFactoryThereIsNoClient() {
		new ApplicationContextRunner().withConfiguration(AutoConfigurations.of(RedissonClientAutoConfiguration.class))
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(RedissonClient.class));
	}

	private static boolean created(ConfigurableApplicationContext context) {
		return context.getBeanFactory().containsSingleton("io.idempotent.redissonClient");
	}

	private Config create(String... properties) {
		Config[] config = new Config[1];
		this.runner.withPropertyValues(properties)
			.run((context) -> config[0] = new RedissonConfigFactory(context.getBean(RedisConnectionFactory.class),
					context.getBean(RedisDetails.class))
				.create());
		return config[0];
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
	void sentinelsComeBeforeAClusterAndAClusterBeforeMasterAndReplicas() {
		Config config = create("spring.data.redis.sentinel.nodes=one:26379", "spring.data.redis.sentinel.master=orders",
				"spring.data.redis.cluster.nodes=two:7000");
		assertThat(config.isSentinelConfig()).isTrue();
		assertThat(create("spring.data.redis.cluster.nodes=one:7000", "spring.data.redis.masterreplica.nodes=two:6379")
			.isClusterConfig()).isTrue();
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
	void storedDataNeverDeterminesAClass() {
		Config config = create();
		assertThat(config.getCodec()).isSameAs(StringCodec.INSTANCE);
		assertThat(config.isReferenceEnabled()).isFalse();
	}

	@Configuration(proxyBeanMethods = false)
	static class OwnClient {

		static final RedissonClient CLIENT = mock(RedissonClient.class);

		@Bean
		RedissonClient mine() {
			return CLIENT;
		}

	}

}
