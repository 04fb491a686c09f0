package io.idempotent.sample.order;

import java.net.URI;
import java.util.List;

import io.idempotent.ApiIdempotent;
import jakarta.validation.Valid;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.PositiveOrZero;

import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

@RestController
class OrderController {

	private final OrderService orders;

	OrderController(OrderService orders) {
		this.orders = orders;
	}

	@PostMapping("/orders")
	@ApiIdempotent
	ResponseEntity<PurchaseOrder> create(@RequestBody @Valid NewOrder order) {
		return created(this.orders.place(order));
	}

	/**
	 * Waits before it places the order, so that concurrent duplicates can be observed.
	 */
	@PostMapping("/orders/slow")
	@ApiIdempotent
	ResponseEntity<PurchaseOrder> createSlowly(@RequestParam @PositiveOrZero @Max(60_000) long millis,
			@RequestBody @Valid NewOrder order) throws InterruptedException {
		Thread.sleep(millis);
		return created(this.orders.place(order));
	}

	@GetMapping("/orders")
	List<PurchaseOrder> list() {
		return this.orders.findAll();
	}

	@GetMapping("/orders/{id}")
	PurchaseOrder get(@PathVariable long id) {
		return this.orders.get(id);
	}

	private static ResponseEntity<PurchaseOrder> created(PurchaseOrder order) {
		return ResponseEntity.created(URI.create("/orders/" + order.id())).body(order);
	}

}
