package io.idempotent.steps.autoconfigure;

import io.idempotent.IdempotencyTemplate;
import io.idempotent.embedded.EmbeddedRedis;
import io.idempotent.steps.OperationStepsFactory;
import io.idempotent.steps.StepAdministration;
import org.junit.jupiter.api.Test;

import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.data.redis.core.StringRedisTemplate;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * An application without a database keeps external steps in Redis.
 */
class RedisStepsAutoConfigurationTests {

	@Test
	void stepsAreKeptInRedis() {
		try (EmbeddedRedis redis = EmbeddedRedis.start();
				ConfigurableApplicationContext node = new SpringApplicationBuilder(Application.class)
					.web(WebApplicationType.NONE)
					.run("--spring.data.redis.port=" + redis.port(), "--idempotent.steps.store=redis",
							"--idempotent.store.type=local", "--idempotent.store.redis.key-prefix=shop:")) {
			String charge = node.getBean(IdempotencyTemplate.class)
				.execute("pay", "1", String.class,
						(context) -> node.getBean(OperationStepsFactory.class)
							.of(context)
							.external("charge", String.class, (key) -> "charged"));
			assertThat(charge).isEqualTo("charged");
			assertThat(node.getBean(StringRedisTemplate.class).keys("shop:steps:*")).hasSize(1);
			assertThat(node.getBeanProvider(StepAdministration.class).getIfAvailable()).isNull();
		}
	}

	@SpringBootConfiguration
	@EnableAutoConfiguration(exclude = DataSourceAutoConfiguration.class)
	static class Application {

	}

}
