package io.idempotent.webmvc;

import java.io.FileNotFoundException;
import java.lang.reflect.UndeclaredThrowableException;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;

import io.idempotent.ApiIdempotent;
import io.idempotent.KeySource;
import io.idempotent.WhenCompleted;
import jakarta.servlet.http.HttpServletRequest;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.context.MessageSource;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.support.StaticMessageSource;
import org.springframework.core.MethodParameter;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.http.converter.HttpMessageConverter;
import org.springframework.http.server.ServerHttpRequest;
import org.springframework.http.server.ServerHttpResponse;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.ModelAttribute;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.bind.annotation.RestControllerAdvice;
import org.springframework.web.servlet.config.annotation.ContentNegotiationConfigurer;
import org.springframework.web.servlet.config.annotation.PathMatchConfigurer;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;
import org.springframework.web.servlet.mvc.method.annotation.ResponseBodyAdvice;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * An application that shapes all of its responses shapes none of the library's.
 */
class OpinionatedApplicationTests {

	private static final String BASE = "/shop/mvc";

	@RegisterExtension
	static final TestServer server = TestServer.of(Application.class,
			"spring.jackson.property-naming-strategy=SNAKE_CASE", "spring.mvc.problemdetails.enabled=true",
			"spring.jackson.default-property-inclusion=non_null", "server.servlet.context-path=/shop",
			"spring.mvc.servlet.path=/mvc", "spring.mvc.contentnegotiation.favor-parameter=true");

	private static Records records;

	@BeforeAll
	static void start() {
		records = Records.of(server);
	}

	@ParameterizedTest
	@ValueSource(strings = { "*/*", "application/json", "text/html, */*;q=0.1", "application/*", "" })
	void aTokenIsJson(String accept) {
		HttpResponse<byte[]> response = server.send(server.request(BASE + "/token").header("Accept", accept));
		assertThat(TestServer.text(response))
			.matches("\\{\"token\":\"[\\w.-]+\",\"header\":\"Idempotent-Token\",\"expiresIn\":600}");
		assertThat(TestServer.header(response, "Content-Type")).isEqualTo("application/json");
		assertThat(TestServer.header(response, "Cache-Control")).isEqualTo("no-store");
	}

	@ParameterizedTest
	@ValueSource(strings = { "text/plain", "text/*", "application/json;q=0.5, text/plain" })
	void aTokenIsText(String accept) {
		HttpResponse<byte[]> response = server.send(server.request(BASE + "/token").header("Accept", accept));
		assertThat(response.statusCode()).isEqualTo(200);
		assertThat(TestServer.text(response)).matches("[\\w.-]+");
		assertThat(TestServer.header(response, "Content-Type")).isEqualTo("text/plain;charset=UTF-8");
		assertThat(TestServer.header(response, "Cache-Control")).isEqualTo("no-store");
	}

	@ParameterizedTest
	@ValueSource(strings = { "application/xml", "image/png", "application/json;q=0", "no type" })
	void nothingIsIssuedToWhomItDoesNotFit(String accept) {
		Map<String, String> before = records.all();
		assertThat(server.send(server.request(BASE + "/token").header("Accept", accept)).statusCode()).isEqualTo(406);
		assertThat(records.all()).isEqualTo(before);
	}

	@ParameterizedTest
	@CsvSource({
			"nobody, 'There is no idempotent handler method of the name ''nobody'': give the name of its @ApiIdempotent, or Controller.method'",
			"Orders.order, The operation 'Orders.order' takes no token: its key source is HEADER" })
	void anOperationWithoutTokensIsAProblemDocument(String operation, String detail) {
		HttpResponse<byte[]> response = server.send(server.request(BASE + "/token?operation=" + operation));
		assertThat(response.statusCode()).isEqualTo(400);
		assertThat(TestServer.header(response, "Content-Type")).isEqualTo("application/problem+json");
		assertThat(TestServer.text(response))
			.isEqualTo("{\"detail\":\"" + detail + "\",\"status\":400,\"title\":\"Bad Request\"}");
	}

	@Test
	void aRefusalIsAProblemDocument() {
		HttpResponse<byte[]> response = server.send(server.post(BASE + "/api/orders", "{}").header("Accept", "*/*"));
		assertThat(response.statusCode()).isEqualTo(400);
		assertThat(TestServer.header(response, "Content-Type")).isEqualTo("application/problem+json");
		assertThat(TestServer.header(response, "Content-Language")).isEqualTo("en");
		assertThat(TestServer.text(response)).startsWith("{\"type\":\"")
			.contains("\"title\":\"Key missing\"", "\"code\":\"key-missing\"")
			.doesNotContain("idempotent.problem");
	}

	@ParameterizedTest
	@CsvSource({ "en, Please open the form again", "zh-CN, \u8bf7\u91cd\u65b0\u6253\u5f00\u8868\u5355" })
	void aRefusalIsAPage(String language, String title) {
		HttpResponse<byte[]> response = server.send(server.post(BASE + "/api/forms", "{}")
			.header("Accept", "text/html")
			.header("Accept-Language", language));
		assertThat(TestServer.text(response)).startsWith("<!DOCTYPE html>").contains("<h1>" + title);
	}

	@Test
	void aMessageThatIsMissingIsNotShown() {
		server.send(server.post(BASE + "/api/gifts", "{}").header("Idempotency-Key", "a-gift"));
		HttpResponse<byte[]> repeat = server
			.send(server.post(BASE + "/api/gifts", "{}").header("Idempotency-Key", "a-gift"));
		assertThat(TestServer.code(repeat)).isEqualTo("duplicate");
		assertThat(TestServer.text(repeat)).doesNotContain("gift.refused");
	}

	/** As Lombok's {@code @SneakyThrows} throws it, and without a proxy. */
	@Test
	void anUndeclaredCheckedExceptionFindsItsOwnHandler() {
		HttpResponse<byte[]> response = server
			.send(server.post(BASE + "/api/sold", "{}").header("Idempotency-Key", "sold"));
		assertThat(response.statusCode()).isEqualTo(410);
	}

	/** As the proxy of a client throws it. */
	@Test
	void anUndeclaredThrowableExceptionOfTheMethodItselfKeepsItsType() {
		HttpResponse<byte[]> response = server
			.send(server.post(BASE + "/api/remote", "{}").header("Idempotency-Key", "remote"));
		assertThat(response.statusCode()).isEqualTo(502);
	}

	@Configuration(proxyBeanMethods = false)
	@Import({ Orders.class, Envelope.class, Session.class })
	static class Application implements WebMvcConfigurer {

		@Override
		public void configureContentNegotiation(ContentNegotiationConfigurer configurer) {
			configurer.ignoreAcceptHeader(true).defaultContentType(MediaType.APPLICATION_XML);
		}

		@Override
		public void configurePathMatch(PathMatchConfigurer configurer) {
			configurer.addPathPrefix("/api", (controller) -> true);
		}

		/** As spring.messages.use-code-as-default-message=true makes it. */
		@Bean
		MessageSource messageSource() {
			StaticMessageSource messages = new StaticMessageSource();
			messages.setUseCodeAsDefaultMessage(true);
			return messages;
		}

		@Bean
		MessageSource otherMessages() {
			return new StaticMessageSource();
		}

	}

	@RestController
	static class Orders {

		@ApiIdempotent(KeySource.HEADER)
		@PostMapping("/orders")
		String order() {
			return "ordered";
		}

		@ApiIdempotent
		@PostMapping("/forms")
		String form() {
			return "sent";
		}

		@ApiIdempotent(value = KeySource.HEADER, whenCompleted = WhenCompleted.REJECT, message = "{gift.refused}")
		@PostMapping("/gifts")
		String gift() {
			return "given";
		}

		@ApiIdempotent(KeySource.HEADER)
		@PostMapping("/sold")
		String sold() {
			throw Sneaky.<RuntimeException>thrown(new FileNotFoundException("sold"));
		}

		@ApiIdempotent(KeySource.HEADER)
		@PostMapping("/remote")
		String remote() {
			throw new UndeclaredThrowableException(new FileNotFoundException("remote"));
		}

	}

	static final class Sneaky {

		@SuppressWarnings("unchecked")
		static <X extends Throwable> X thrown(Exception ex) throws X {
			throw (X) ex;
		}

	}

	/** As many applications have it. */
	@RestControllerAdvice
	static class Envelope implements ResponseBodyAdvice<Object> {

		@Override
		public boolean supports(MethodParameter returnType, Class<? extends HttpMessageConverter<?>> converterType) {
			return true;
		}

		@Override
		public Object beforeBodyWrite(@Nullable Object body, MethodParameter returnType, MediaType type,
				Class<? extends HttpMessageConverter<?>> converterType, ServerHttpRequest request,
				ServerHttpResponse response) {
			return Map.of("code", 200, "data", List.of(String.valueOf(body)));
		}

		@ExceptionHandler(FileNotFoundException.class)
		ResponseEntity<Void> gone() {
			return ResponseEntity.status(410).build();
		}

		@ExceptionHandler(UndeclaredThrowableException.class)
		ResponseEntity<Void> badGateway() {
			return ResponseEntity.status(502).build();
		}

		@ExceptionHandler(Exception.class)
		Map<String, String> failed(Exception ex) {
			return Map.of("message", String.valueOf(ex.getMessage()));
		}

	}

	@RestControllerAdvice
	static class Session {

		@ModelAttribute("user")
		String user(HttpServletRequest request) {
			if (request.getRequestURI().contains("/api/")) {
				return "ann";
			}
			throw new IllegalStateException("Nobody is logged in");
		}

	}

}
