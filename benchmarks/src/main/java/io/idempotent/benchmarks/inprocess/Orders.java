package io.idempotent.benchmarks.inprocess;

import java.nio.charset.StandardCharsets;

import io.idempotent.ApiIdempotent;
import io.idempotent.KeySource;

import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

/**
 * Handlers that do nothing. Where every call is a first one, records are kept for half a
 * second only, so that as many go as come.
 */
@RestController
class Orders {

	static final String SHORT = "500ms";

	private static final byte[] ANSWER = "{\"id\":\"0123456789\",\"state\":\"accepted\"}"
		.getBytes(StandardCharsets.UTF_8);

	@PostMapping("/plain")
	byte[] plain(@RequestBody byte[] body) {
		return ANSWER;
	}

	@PostMapping("/first")
	@ApiIdempotent(value = KeySource.HEADER, lease = SHORT, retention = SHORT)
	byte[] first(@RequestBody byte[] body) {
		return ANSWER;
	}

	@PostMapping("/repeated")
	@ApiIdempotent(KeySource.HEADER)
	byte[] repeated(@RequestBody byte[] body) {
		return ANSWER;
	}

	@PostMapping("/content")
	@ApiIdempotent(key = "#order.id", lease = SHORT, retention = SHORT)
	byte[] content(@RequestBody Order order) {
		return ANSWER;
	}

	/**
	 * What is ordered.
	 *
	 * @param id what tells it from others
	 * @param product the product
	 */
	public record Order(String id, String product) {
	}

}
