package io.idempotent.guest.json;

import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

/**
 * Has a mapper of its own.
 */
@SpringBootApplication
public class JsonApplication {

	@Bean
	JsonMapper jsonMapper() {
		return JsonMapper.builder().propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE).build();
	}

	@RestController
	static class Echo {

		@PostMapping("/echo")
		Message echo(@RequestBody Message message) {
			return message;
		}

	}

	record Message(String text, String longName) {
	}

}
