package io.idempotent.sample.redis;

import java.util.stream.Stream;

import io.idempotent.embedded.EmbeddedRedis;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails;
import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails.Standalone;
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
	void startsARedisThatTheApplicationUsesUntilItsEnd(CapturedOutput output) {
		EmbeddedRedis[] redis = new EmbeddedRedis[1];
		this.runner
			.withPropertyValues("spring.data.redis.timeout=2s", "spring.data.redis.database=3",
					"spring.data.redis.host=")
			.run((context) -> {
				redis[0] = context.getBean(EmbeddedRedis.class);
				StringRedisTemplate template = context.getBean(StringRedisTemplate.class);
				template.opsForValue().set("greeting", "hello");
				assertThat(template.opsForValue().get("greeting")).isEqualTo("hello");
				assertThat(context.getBean(DataRedisConnectionDetails.class).getStandalone())
					.returns(redis[0].port(), Standalone::getPort)
					.returns(3, Standalone::getDatabase);
				assertThat(output).contains("--spring.data.redis.port=" + redis[0].port());
			});
		assertThat(redis[0].isRunning()).isFalse();
	}

	@ParameterizedTest
	@ValueSource(strings = { "host=redis.example", "port=6380", "url=redis://redis.example:6379",
			"cluster.nodes=a:1,b:2", "cluster.nodes[0]=a:1", "masterreplica.nodes=a:1,b:2",
			"sentinel.nodes=a:1,b:2;sentinel.master=main" })
	void backsOffWhereARedisIsConfigured(String properties) {
		this.runner
			.withPropertyValues(
					Stream.of(properties.split(";")).map("spring.data.redis."::concat).toArray(String[]::new))
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
