package io.idempotent.guest.plain;

import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

/**
 * Returns what it was sent.
 */
@SpringBootApplication
public class PlainApplication {

	@RestController
	static class Echo {

		@PostMapping("/echo")
		Message echo(@RequestBody Message message) {
			return message;
		}

	}

	record Message(String text, java.time.Instant time) {
	}

}
