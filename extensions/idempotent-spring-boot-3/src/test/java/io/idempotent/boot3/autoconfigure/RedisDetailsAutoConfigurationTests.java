package io.idempotent.boot3.autoconfigure;

import java.time.Duration;
import java.util.stream.Stream;

import io.idempotent.boot.internal.redis.RedisDetails;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.data.redis.RedisAutoConfiguration;
import org.springframework.boot.autoconfigure.ssl.SslAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;

class RedisDetailsAutoConfigurationTests {

	private final ApplicationContextRunner runner = new ApplicationContextRunner().withConfiguration(AutoConfigurations
		.of(SslAutoConfiguration.class, RedisAutoConfiguration.class, RedisDetailsAutoConfiguration.class));

	@Test
	void theClientIsThatOfSpringBoot() {
		this.runner
			.withPropertyValues("spring.data.redis.client-name=shop", "spring.data.redis.timeout=2s",
					"spring.data.redis.connect-timeout=1s")
			.run((context) -> {
				RedisDetails details = context.getBean(RedisDetails.class);
				assertThat(details.clientName()).isEqualTo("shop");
				assertThat(details.timeout()).isEqualTo(Duration.ofSeconds(2));
				assertThat(details.connectTimeout()).isEqualTo(Duration.ofSeconds(1));
				assertThat(details.sslBundle()).isNull();
			});
	}

	@ParameterizedTest
	@ValueSource(strings = { "host=redis", "cluster.nodes=redis:1", "sentinel.nodes=redis:1 sentinel.master=orders" })
	void encryptionIsThatOfEachKindOfServers(String servers) {
		this.runner
			.withPropertyValues(Stream.of(servers.split(" ")).map("spring.data.redis."::concat).toArray(String[]::new))
			.withPropertyValues("spring.data.redis.ssl.enabled=true")
			.run((context) -> assertThat(context.getBean(RedisDetails.class).sslBundle()).isNotNull());
	}

	@Test
	void withoutARedisThereAreNoDetails() {
		new ApplicationContextRunner().withConfiguration(AutoConfigurations.of(RedisDetailsAutoConfiguration.class))
			.run((context) -> assertThat(context).doesNotHaveBean(RedisDetails.class));
	}

}
