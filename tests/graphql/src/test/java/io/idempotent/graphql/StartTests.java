package io.idempotent.graphql;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

import graphql.schema.DataFetchingEnvironment;
import io.idempotent.Idempotent;
import io.idempotent.boot.IdempotencyAutoConfiguration;
import io.idempotent.boot.IdempotencyCallAutoConfiguration;
import io.idempotent.boot.IdempotencyWebMvcAutoConfiguration;
import io.idempotent.embedded.EmbeddedRedis;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import reactor.core.publisher.Mono;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.graphql.autoconfigure.GraphQlSourceBuilderCustomizer;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.boot.webmvc.autoconfigure.WebMvcAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.core.io.ByteArrayResource;
import org.springframework.graphql.data.method.annotation.MutationMapping;
import org.springframework.stereotype.Controller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;

/**
 * What cannot work fails the start.
 */
@ExtendWith(OutputCaptureExtension.class)
class StartTests {

	private static EmbeddedRedis redis;

	@BeforeAll
	static void start() {
		redis = EmbeddedRedis.start();
	}

	@AfterAll
	static void stop() {
		redis.close();
	}

	@Test
	void aMutationNeedsItsEnvironmentOrAKeyExpression() {
		assertThatStartFails(NoEnvironment.class, "graphql.schema.DataFetchingEnvironment");
	}

	@Test
	void aMutationMustNotReturnBeforeItsWorkIsDone() {
		assertThatStartFails(ReturnsMono.class, "it returns a reactor.core.publisher.Mono");
	}

	@Test
	void aDirectiveWithoutAKeyIsOfNoUse() {
		assertThatStartFails(OtherDirective.class, "directive @idempotent(key: String!) on FIELD");
	}

	@Test
	void theSchemaMayDeclareTheDirectiveItself() {
		ShopServer.start(redis, List.of(Shop.class, OwnDirective.class)).close();
	}

	@Test
	void switchedOffDocumentsWithTheDirectiveStayValid() {
		try (ShopServer server = ShopServer.start(redis, List.of(Shop.class), "idempotent.enabled=false")) {
			String document = "mutation { pay(amount: 5) @idempotent(key: \"a\") { number } }";
			server.send("ann", document, Map.of());
			assertThat(server.send("ann", document, Map.of()).at("/data/pay/number").asInt()).isEqualTo(2);
		}
	}

	@Test
	void callersWhoCannotBeDistinguishedAreWarnedOf(CapturedOutput output) {
		new WebApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(AopAutoConfiguration.class, WebMvcAutoConfiguration.class,
					IdempotencyAutoConfiguration.class, IdempotencyWebMvcAutoConfiguration.class,
					IdempotencyCallAutoConfiguration.class, GraphQlIdempotencyAutoConfiguration.class))
			.withPropertyValues("idempotent.store.type=local")
			.withBean(Till.class)
			.withBean(Shop.class)
			.run((context) -> assertThat(output).contains("callers of HTTP operations cannot be distinguished",
					"[Shop.pay, Shop.refund]"));
	}

	private static void assertThatStartFails(Class<?> bean, String reason) {
		assertThatException().isThrownBy(() -> ShopServer.start(redis, List.of(bean)).close())
			.satisfies((ex) -> assertThat(ex).hasStackTraceContaining(reason));
	}

	@Controller
	static class NoEnvironment {

		@MutationMapping
		@Idempotent
		void payAtRegister() {
		}

	}

	@Controller
	static class ReturnsMono {

		@MutationMapping
		@Idempotent
		Mono<Shop.Payment> pay(DataFetchingEnvironment environment) {
			return Mono.empty();
		}

	}

	static class OtherDirective {

		@Bean
		GraphQlSourceBuilderCustomizer schema() {
			return declare("directive @idempotent on FIELD");
		}

	}

	static class OwnDirective {

		@Bean
		GraphQlSourceBuilderCustomizer schema() {
			return declare("directive @idempotent(key: String!, comment: String) on FIELD");
		}

	}

	private static GraphQlSourceBuilderCustomizer declare(String directive) {
		return (builder) -> builder.schemaResources(new ByteArrayResource(directive.getBytes(StandardCharsets.UTF_8)));
	}

}
