package io.idempotent.autoconfigure;

import org.junit.jupiter.api.Test;
import org.redisson.Redisson;
import org.redisson.api.RedissonClient;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.context.annotation.ImportCandidates;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;

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
	void theClientIsNotCreatedBecauseSomebodyLooksForItsType() {
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
	void springDataRedisKeepsItsConnectionFactory() {
		this.runner.run((context) -> assertThat(context).getBean(RedisConnectionFactory.class)
			.isInstanceOf(LettuceConnectionFactory.class));
	}

	@Test
	void customizersHaveTheLastWord() {
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
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean("redissonClient"));
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
		return context.getBeanFactory().containsSingleton("redissonClient");
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
