package io.idempotent.boot.lock;

import io.idempotent.boot.settings.InvalidConfigurationException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.redisson.Redisson;
import org.redisson.api.RedissonClient;
import org.redisson.config.Config;
import org.redisson.config.SentinelServersConfig;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.context.annotation.ImportCandidates;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails;
import org.springframework.boot.logging.LogLevel;
import org.springframework.boot.logging.LoggingSystem;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
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
import static org.mockito.Mockito.mock;

@ExtendWith(OutputCaptureExtension.class)
class RedissonClientAutoConfigurationTests {

	private final ApplicationContextRunner runner = new ApplicationContextRunner().withConfiguration(
			AutoConfigurations.of(DataRedisAutoConfiguration.class, RedissonClientAutoConfiguration.class));

	@Test
	void bootFindsIt() {
		assertThat(ImportCandidates.load(AutoConfiguration.class, getClass().getClassLoader()))
			.contains(RedissonClientAutoConfiguration.class.getName());
	}

	@Test
	void thereIsOneClient() {
		this.runner.run((context) -> assertThat(context).hasSingleBean(RedissonClient.class));
	}

	@Test
	void theClientIsNotCreatedBeforeItIsUsed() {
		this.runner.run((context) -> assertThat(created(context)).isFalse());
	}

	@Test
	void aLookupByTypeDoesNotCreateTheClient() {
		this.runner.run((context) -> {
			assertThat(context.getBeanNamesForType(RedissonClient.class)).hasSize(1);
			assertThat(created(context)).isFalse();
		});
	}

	@Test
	void theClientEndsWithItsContext() {
		RedissonClient[] client = new RedissonClient[1];
		this.runner.run((context) -> client[0] = context.getBean(RedissonClient.class));
		assertThat(client[0].isShutdown()).isTrue();
	}

	@Test
	void theUsersOwnClientWins() {
		this.runner.withUserConfiguration(OwnClient.class)
			.run((context) -> assertThat(context).getBean(RedissonClient.class).isSameAs(OwnClient.CLIENT));
	}

	@Test
	void locksUseTheServersOfTheConnectionFactory(CapturedOutput output) {
		// An application that ran before in this JVM may have left another level behind.
		LoggingSystem.get(getClass().getClassLoader()).setLogLevel(RedisServers.class.getName(), LogLevel.INFO);
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
			assertThat(output)
				.contains("Locks go to the Redis of the application's own RedisConnectionFactory: "
						+ "server data.example:6390, database 3")
				.doesNotContain("shop-secret");
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
	void aConnectionFactoryForTheServersOfBootChangesNothing() {
		own(new LettuceConnectionFactory("known.example", 6380))
			.withPropertyValues("spring.data.redis.host=known.example", "spring.data.redis.port=6380",
					"spring.data.redis.password=told-to-boot")
			.run((context) -> assertThat(context.getBean(RedissonClient.class).getConfig().getPassword())
				.isEqualTo("told-to-boot"));
	}

	@Test
	void aConnectionFactoryWithUnknownServersIsLoggedAndRefused(CapturedOutput output) {
		own(mock(RedisConnectionFactory.class)).run((context) -> {
			assertThat(context).hasNotFailed();
			assertThat(output).contains("WARN", "Locks cannot be taken on the engine 'redisson'",
					"does not say where its servers are", "Define a RedissonClient bean");
			assertThatException().isThrownBy(() -> context.getBean(RedissonClient.class))
				.withRootCauseInstanceOf(InvalidConfigurationException.class);
		});
		own(new LettuceConnectionFactory(new RedisSocketConfiguration("/run/redis.sock")))
			.run((context) -> assertThatException().isThrownBy(() -> context.getBean(RedissonClient.class)));
	}

	@Test
	void thePrimaryConnectionFactoryIsUsed(CapturedOutput output) {
		ApplicationContextRunner two = this.runner.withBean("one", RedisConnectionFactory.class,
				() -> new LettuceConnectionFactory("one.example", 1));
		two.withBean("two", RedisConnectionFactory.class, () -> new LettuceConnectionFactory("two.example", 2),
				(definition) -> definition.setPrimary(true))
			.run((context) -> assertThat(
					context.getBean(RedissonClient.class).getConfig().useSingleServer().getAddress())
				.isEqualTo("redis://two.example:2"));
		two.withBean("two", RedisConnectionFactory.class, () -> new LettuceConnectionFactory("two.example", 2))
			.run((context) -> assertThat(output).contains("none of them is @Primary"));
	}

	private ApplicationContextRunner own(RedisConnectionFactory factory) {
		return this.runner.withBean("ownConnectionFactory", RedisConnectionFactory.class, () -> factory);
	}

	@Test
	void springDataRedisKeepsItsConnectionFactory() {
		this.runner.run((context) -> assertThat(context).getBean(RedisConnectionFactory.class)
			.isInstanceOf(LettuceConnectionFactory.class));
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
		this.runner.withClassLoader(new FilteredClassLoader(DataRedisConnectionDetails.class))
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(RedissonClient.class));
	}

	@Test
	void withoutConnectionDetailsThereIsNoClient() {
		new ApplicationContextRunner().withConfiguration(AutoConfigurations.of(RedissonClientAutoConfiguration.class))
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(RedissonClient.class));
	}

	private static boolean created(ConfigurableApplicationContext context) {
		return context.getBeanFactory().containsSingleton("io.idempotent.redissonClient");
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
