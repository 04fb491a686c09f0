package com.example;

import java.net.URI;
import java.util.Map;

import io.idempotent.ApiIdempotent;
import io.idempotent.KeySource;

import org.springframework.dao.EmptyResultDataAccessException;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.support.GeneratedKeyHolder;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ResponseStatusException;

@RestController
class OrderController {

	private final JdbcClient sql;

	OrderController(JdbcClient sql) {
		this.sql = sql;
	}

	@PostMapping("/orders")
	@ApiIdempotent(KeySource.HEADER)
	ResponseEntity<Map<String, Object>> place(@RequestBody Order order) {
		GeneratedKeyHolder id = new GeneratedKeyHolder();
		this.sql.sql("insert into orders (article) values (?)").param(checked(order)).update(id, "id");
		return ResponseEntity.created(URI.create("/orders/" + id.getKey())).body(find(id.getKey().longValue()));
	}

	@PutMapping("/orders/{id}")
	@ApiIdempotent(KeySource.HEADER)
	Map<String, Object> change(@PathVariable long id, @RequestBody Order order) {
		this.sql.sql("update orders set article = ? where id = ?").param(checked(order)).param(id).update();
		return find(id);
	}

	@DeleteMapping("/orders/{id}")
	@ApiIdempotent(KeySource.HEADER)
	@ResponseStatus(HttpStatus.NO_CONTENT)
	void cancel(@PathVariable long id) {
		this.sql.sql("delete from orders where id = ?").param(id).update();
	}

	@GetMapping("/orders/{id}")
	Map<String, Object> find(@PathVariable long id) {
		return this.sql.sql("select id as \"id\", article as \"article\" from orders where id = ?")
			.param(id)
			.query()
			.singleRow();
	}

	@ExceptionHandler(EmptyResultDataAccessException.class)
	@ResponseStatus(HttpStatus.NOT_FOUND)
	void missing() {
	}

	private static String checked(Order order) {
		if (order.article() == null) {
			throw new ResponseStatusException(HttpStatus.BAD_REQUEST, "an article is missing");
		}
		return order.article();
	}

	record Order(String article) {
	}

}
