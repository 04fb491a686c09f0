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
import org.springframework.stereotype.Component;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * An application with all that has meters: orders in a database with receipts, payments
 * whose outcome may be unknown, coupons that run without the store, and stock under a
 * lock.
 */
@SpringBootApplication
@Import({ Shop.Handlers.class, Shop.Orders.class, Shop.SlowRuns.class, Shop.Stock.class })
class Shop {

	@RestController
	static class Handlers {

		private final Orders orders;

		private final Stock stock;

		private final SlowRuns slowRuns;

		Handlers(Orders orders, Stock stock, SlowRuns slowRuns) {
			this.orders = orders;
			this.stock = stock;
			this.slowRuns = slowRuns;
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
			this.slowRuns.run();
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

	/**
	 * Lets a test decide when an operation ends.
	 */
	@Component
	static class SlowRuns {

		private final CountDownLatch begun = new CountDownLatch(1);

		private volatile CountDownLatch proceed = new CountDownLatch(1);

		void run() throws InterruptedException {
			CountDownLatch until = this.proceed;
			this.begun.countDown();
			assertThat(until.await(20, TimeUnit.SECONDS)).isTrue();
		}

		void awaitBegin() throws InterruptedException {
			assertThat(this.begun.await(1, TimeUnit.MINUTES)).isTrue();
		}

		/**
		 * Lets runs that begin from now on end at once.
		 * @return lets the others end
		 */
		Runnable endLaterOnes() {
			CountDownLatch earlier = this.proceed;
			this.proceed = new CountDownLatch(0);
			return earlier::countDown;
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
