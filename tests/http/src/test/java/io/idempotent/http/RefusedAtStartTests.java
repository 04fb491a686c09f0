package io.idempotent.http;

import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

import io.idempotent.ApiIdempotent;
import io.idempotent.support.StartUpException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import reactor.core.publisher.Flux;

import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurationSupport;
import org.springframework.web.servlet.function.RouterFunction;
import org.springframework.web.servlet.function.RouterFunctions;
import org.springframework.web.servlet.function.ServerRequest;
import org.springframework.web.servlet.function.ServerResponse;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerMapping;
import org.springframework.web.servlet.mvc.method.annotation.SseEmitter;
import org.springframework.web.servlet.mvc.method.annotation.StreamingResponseBody;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A handler whose answer cannot be recorded does not start.
 */
@Tag("slow")
class RefusedAtStartTests {

	private final WebApplicationContextRunner context = new WebApplicationContextRunner()
		.withUserConfiguration(AutoConfigured.class)
		.withPropertyValues("idempotent.store.type=local", "idempotent.lock.engines=local");

	static Stream<Arguments> refused() {
		return Stream.of(Arguments.of(Events.class, "returns SseEmitter"),
				Arguments.of(Streaming.class, "returns StreamingResponseBody"),
				Arguments.of(StreamLater.class, "returns StreamingResponseBody"),
				Arguments.of(Many.class, "returns Flux"), Arguments.of(KotlinFlow.class, "returns Flow"),
				Arguments.of(KotlinSuspendedFlow.class, "returns Flow"),
				Arguments.of(Functional.class, "handles no request"),
				Arguments.of(BehindSupport.class, "does not have the interceptor"),
				Arguments.of(BehindOwnMapping.class, "mapped by the bean 'ownMapping', which does not have the"));
	}

	@ParameterizedTest
	@MethodSource("refused")
	void namesTheHandlerAndTheReason(Class<?> handler, String reason) {
		this.context.withUserConfiguration(handler).run((context) -> {
			assertThat(context).hasFailed();
			assertThat(context.getStartupFailure()).isInstanceOf(StartUpException.class)
				.hasMessageContaining("@ApiIdempotent " + handler.getSimpleName() + ".pay")
				.hasMessageContaining(reason);
		});
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class AutoConfigured {

	}

	@RestController
	static class Events {

		@PostMapping("/pay")
		@ApiIdempotent
		SseEmitter pay() {
			return new SseEmitter();
		}

	}

	@RestController
	static class Streaming {

		@PostMapping("/pay")
		@ApiIdempotent
		StreamingResponseBody pay() {
			return (stream) -> stream.write(7);
		}

	}

	@RestController
	static class StreamLater {

		@PostMapping("/pay")
		@ApiIdempotent
		CompletableFuture<ResponseEntity<StreamingResponseBody>> pay() {
			return CompletableFuture.completedFuture(ResponseEntity.ok((stream) -> stream.write(7)));
		}

	}

	@RestController
	static class Many {

		@PostMapping("/pay")
		@ApiIdempotent
		Flux<String> pay() {
			return Flux.just("seven");
		}

	}

	@RestController
	@Import(WebMvcConfigurationSupport.class)
	static class BehindSupport {

		@PostMapping("/pay")
		@ApiIdempotent
		String pay() {
			return "seven";
		}

	}

	@RestController
	@Import(OwnMapping.class)
	static class BehindOwnMapping {

		@PostMapping("/pay")
		@ApiIdempotent
		String pay() {
			return "seven";
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class OwnMapping {

		@Bean
		RequestMappingHandlerMapping ownMapping() {
			RequestMappingHandlerMapping mapping = new RequestMappingHandlerMapping();
			mapping.setOrder(-1);
			return mapping;
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Functional {

		@Bean
		RouterFunction<ServerResponse> routes() {
			return RouterFunctions.route().POST("/pay", this::pay).build();
		}

		@ApiIdempotent
		ServerResponse pay(ServerRequest request) {
			return ServerResponse.ok().body("seven");
		}

	}

}
