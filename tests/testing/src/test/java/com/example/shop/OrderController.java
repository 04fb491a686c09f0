package com.example.shop;

import io.idempotent.ApiIdempotent;
import io.idempotent.KeySource;

import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

@RestController
class OrderController {

	private final OrderService orders;

	OrderController(OrderService orders) {
		this.orders = orders;
	}

	@PostMapping("/orders")
	@ResponseStatus(HttpStatus.CREATED)
	@ApiIdempotent(KeySource.HEADER)
	long place(@RequestBody String article) {
		return this.orders.place(article);
	}

	@PostMapping("/reviews")
	@ApiIdempotent(KeySource.TOKEN)
	long review(@RequestBody String article) {
		return this.orders.place(article);
	}

}
