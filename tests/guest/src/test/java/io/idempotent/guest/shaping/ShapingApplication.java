package io.idempotent.guest.shaping;

import java.util.Map;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.MessageSource;
import org.springframework.context.annotation.Bean;
import org.springframework.context.support.StaticMessageSource;
import org.springframework.core.MethodParameter;
import org.springframework.http.MediaType;
import org.springframework.http.converter.HttpMessageConverter;
import org.springframework.http.server.ServerHttpRequest;
import org.springframework.http.server.ServerHttpResponse;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.bind.annotation.RestControllerAdvice;
import org.springframework.web.servlet.mvc.method.annotation.ResponseBodyAdvice;

/**
 * Shapes its responses and texts.
 */
@SpringBootApplication
public class ShapingApplication {

	@Bean
	MessageSource messageSource() {
		StaticMessageSource messages = new StaticMessageSource();
		messages.setUseCodeAsDefaultMessage(true);
		return messages;
	}

	@RestController
	static class Quotes {

		@GetMapping("/quote")
		Map<String, String> quote() {
			return Map.of("priceOfTea", "7");
		}

	}

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
			return Map.of("data", String.valueOf(body));
		}

		@ExceptionHandler(Exception.class)
		String failed() {
			return "failed";
		}

	}

}
