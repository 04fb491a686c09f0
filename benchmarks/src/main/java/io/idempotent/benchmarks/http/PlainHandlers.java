package io.idempotent.benchmarks.http;

import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

/**
 * Handlers without an annotation of ours.
 */
@RestController
class PlainHandlers {

	@GetMapping("/item")
	Order item() {
		return new Order("4711", "umbrella", 2);
	}

	@PostMapping("/order")
	Order order(@RequestBody Order order) {
		return order;
	}

	/**
	 * What is ordered, and the answer to it.
	 *
	 * @param id its name
	 * @param product the product
	 * @param quantity how many
	 */
	record Order(String id, String product, int quantity) {
	}

}
