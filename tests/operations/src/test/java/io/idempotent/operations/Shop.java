package io.idempotent.operations;

import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import io.idempotent.ApiIdempotent;
import io.idempotent.KeySource;
import io.idempotent.WhenFailed;
import io.idempotent.WhenStoreFails;
import io.idempotent.WhenUnknown;
import io.idempotent.lock.DistributedLocked;

import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Import;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

/**
 * An application with all that has meters: orders in a database with receipts, payments
 * whose outcome may be unknown, coupons that run without the store, and stock under a
 * lock.
 */
@SpringBootApplication
@Import({ Shop.Handlers.class, Shop.Orders.class, Shop.Stock.class })
class Shop {

	@RestController
	static class Handlers {

		private final Orders orders;

		private final Stock stock;

		volatile CountDownLatch begun = new CountDownLatch(1);

		volatile CountDownLatch proceed = new CountDownLatch(1);

		Handlers(Orders orders, Stock stock) {
			this.orders = orders;
			this.stock = stock;
		}

		@PostMapping("/orders")
		@ApiIdempotent(name = "orders", value = KeySource.HEADER)
		Map<String, Object> order(@RequestBody String sku) {
			this.orders.place(sku);
			return Map.of("sku", sku);
		}

		@PostMapping("/slow")
		@ApiIdempotent(name = "slow", value = KeySource.HEADER)
		String slow() throws InterruptedException {
			CountDownLatch wait = this.proceed;
			this.begun.countDown();
			wait.await(20, TimeUnit.SECONDS);
			return "done";
		}

		@PostMapping("/payments")
		@ApiIdempotent(name = "payments", value = KeySource.HEADER, whenFailed = WhenFailed.UNKNOWN,
				whenUnknown = WhenUnknown.REJECT)
		String pay() {
			throw new IllegalStateException("The bank did not answer");
		}

		@PostMapping("/coupons")
		@ApiIdempotent(name = "coupons", value = KeySource.HEADER, whenStoreFails = WhenStoreFails.PROCEED)
		String coupon() {
			return "coupon";
		}

		@PostMapping("/stock")
		String takeStock() {
			return this.stock.take("sku-1");
		}

	}

	@Service
	static class Orders {

		private final JdbcTemplate sql;

		Orders(JdbcTemplate sql) {
			this.sql = sql;
		}

		@Transactional
		void place(String sku) {
			this.sql.update("insert into purchase_order (sku) values (?)", sku);
		}

	}

	@Service
	static class Stock {

		@DistributedLocked(name = "stock", key = "#sku")
		String take(String sku) {
			return sku;
		}

	}

}
