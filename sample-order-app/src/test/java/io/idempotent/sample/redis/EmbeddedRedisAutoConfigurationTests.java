package io.idempotent.sample.redis;

import io.idempotent.embedded.EmbeddedRedis;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.data.redis.core.StringRedisTemplate;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link EmbeddedRedisAutoConfiguration}.
 */
@ExtendWith(OutputCaptureExtension.class)
@Tag("slow")
class EmbeddedRedisAutoConfigurationTests {

	private final ApplicationContextRunner runner = new ApplicationContextRunner().withConfiguration(
			AutoConfigurations.of(EmbeddedRedisAutoConfiguration.class, DataRedisAutoConfiguration.class));

	@Test
	void startsARedisThatTheApplicationUses() {
		this.runner.run((context) -> {
			StringRedisTemplate template = context.getBean(StringRedisTemplate.class);
			template.opsForValue().set("greeting", "hello");
			assertThat(template.opsForValue().get("greeting")).isEqualTo("hello");
			assertThat(context).hasSingleBean(DataRedisConnectionDetails.class);
			assertThat(context.getBean(DataRedisConnectionDetails.class).getStandalone().getPort())
				.isEqualTo(context.getBean(EmbeddedRedis.class).port());
		});
	}

	@Test
	void saysHowASecondInstanceJoins(CapturedOutput output) {
		this.runner.run((context) -> assertThat(output)
			.contains("--spring.data.redis.port=" + context.getBean(EmbeddedRedis.class).port()));
	}

	@Test
	void endsWithTheContext() {
		EmbeddedRedis[] redis = new EmbeddedRedis[1];
		this.runner.run((context) -> redis[0] = context.getBean(EmbeddedRedis.class));
		assertThat(redis[0].isRunning()).isFalse();
	}

	@Test
	void startsARedisDespiteClientSettings() {
		this.runner
			.withPropertyValues("spring.data.redis.timeout=2s", "spring.data.redis.database=3",
					"spring.data.redis.host=")
			.run((context) -> {
				assertThat(context).hasSingleBean(EmbeddedRedis.class);
				assertThat(context.getBean(DataRedisConnectionDetails.class).getStandalone().getDatabase())
					.isEqualTo(3);
			});
	}

	@ParameterizedTest
	@ValueSource(strings = { "host=redis.example", "port=6380", "url=redis://redis.example:6379",
			"cluster.nodes=a:1,b:2", "cluster.nodes[0]=a:1", "masterreplica.nodes=a:1,b:2" })
	void backsOffWhereARedisIsConfigured(String property) {
		this.runner.withPropertyValues("spring.data.redis." + property)
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(EmbeddedRedis.class));
	}

	@Test
	void backsOffWhereSentinelsAreConfigured() {
		this.runner
			.withPropertyValues("spring.data.redis.sentinel.master=main", "spring.data.redis.sentinel.nodes=a:1,b:2")
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(EmbeddedRedis.class));
	}

	@Test
	void backsOffToOtherConnectionDetails() {
		this.runner.withUserConfiguration(OtherRedisConfiguration.class)
			.run((context) -> assertThat(context).hasNotFailed()
				.hasSingleBean(DataRedisConnectionDetails.class)
				.doesNotHaveBean(EmbeddedRedis.class));
	}

	@Configuration(proxyBeanMethods = false)
	static class OtherRedisConfiguration {

		@Bean
		DataRedisConnectionDetails otherRedis() {
			return new DataRedisConnectionDetails() {

				@Override
				public Standalone getStandalone() {
					return Standalone.of("redis.example", 6379);
				}

			};
		}

	}

}
