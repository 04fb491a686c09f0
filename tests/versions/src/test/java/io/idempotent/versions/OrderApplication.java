package io.idempotent.versions;

import java.util.List;

import io.idempotent.ApiIdempotent;
import io.idempotent.KeySource;
import io.idempotent.steps.OperationSteps;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.http.HttpStatus;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseBody;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/**
 * Takes orders by each kind of key.
 */
@SpringBootApplication
class OrderApplication {

	public static void main(String[] arguments) {
		SpringApplication.run(OrderApplication.class, arguments);
	}

	@RestController
	static class ApiController {

		private final Orders orders;

		ApiController(Orders orders) {
			this.orders = orders;
		}

		@ApiIdempotent
		@PostMapping("/orders/token")
		@ResponseStatus(HttpStatus.CREATED)
		Order byToken(@RequestBody NewOrder order) {
			return this.orders.place(order);
		}

		@ApiIdempotent(KeySource.HEADER)
		@PostMapping("/orders/header")
		@ResponseStatus(HttpStatus.CREATED)
		Order byHeader(@RequestBody NewOrder order) {
			return this.orders.place(order);
		}

		@ApiIdempotent(KeySource.CONTENT)
		@PostMapping("/orders/content")
		@ResponseStatus(HttpStatus.CREATED)
		Order byContent(@RequestBody NewOrder order) {
			return this.orders.place(order);
		}

		@ApiIdempotent(KeySource.HEADER)
		@PostMapping("/orders/steps")
		@ResponseStatus(HttpStatus.CREATED)
		Order inSteps(@RequestBody NewOrder order, OperationSteps steps) {
			String label = steps.external("label", String.class, (key) -> "of " + order.article());
			return steps.transactional("place", Order.class, () -> this.orders.place(new NewOrder(label)));
		}

		@PostMapping("/orders/method")
		@ResponseStatus(HttpStatus.CREATED)
		Order byMethod(@RequestBody NewOrder order) {
			return this.orders.placeOnce(order);
		}

		@PostMapping("/orders/sale")
		@ResponseStatus(HttpStatus.CREATED)
		String sell(@RequestBody NewOrder order) {
			return this.orders.sell(Sale.of(order.article())).toString();
		}

		@PostMapping("/stocktaking")
		String takeStock() {
			return this.orders.takeStock();
		}

		@PostMapping("/archive")
		String archive() {
			return this.orders.archive();
		}

		@GetMapping("/orders")
		List<Order> list() {
			return this.orders.list();
		}

	}

	@Controller
	static class FormController {

		private final Orders orders;

		FormController(Orders orders) {
			this.orders = orders;
		}

		@GetMapping("/form")
		String form() {
			return "order";
		}

		@ApiIdempotent
		@PostMapping("/orders/form")
		@ResponseBody
		String submit(@RequestParam String article) {
			return "Order " + this.orders.place(new NewOrder(article)).id();
		}

	}

	record NewOrder(String article) {
	}

	record Order(long id, String article) {
	}

}
