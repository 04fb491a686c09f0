package io.idempotent.sample;

import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import org.springframework.jdbc.core.simple.JdbcClient;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A thousand buyers in two shops with one stock.
 */
@Tag("slow")
class SeckillRushTests {

	private static final int STOCK = 500;

	private static final int CUSTOMERS = 800;

	private static final int TWICE = 200;

	private final long seed = System.nanoTime();

	@Test
	void twoNodesSellTheStockOncePerCustomer(@TempDir Path directory) {
		try (Fleet fleet = Fleet.start(directory, 2)) {
			JdbcClient database = fleet.database();
			database.sql("insert into stock (sku, amount, version) values ('dragon-well', ?, 0)").param(STOCK).update();
			List<CompletableFuture<HttpResponse<String>>> buyers = rush(fleet.shops());
			List<HttpResponse<String>> answers = buyers.stream().map(CompletableFuture::join).toList();

			assertThat(answers).as("seed %d", this.seed)
				.filteredOn((answer) -> answer.statusCode() == 201)
				.hasSize(STOCK);
			assertThat(answers).filteredOn((answer) -> answer.statusCode() != 201)
				.extracting(Shop::codeOf)
				.contains("sold-out", "already-bought")
				.isSubsetOf("sold-out", "already-bought", "locked");
			assertThat(fleet.shops()).extracting((shop) -> shop.get("/stock/dragon-well").body())
				.containsOnly("{\"sku\":\"dragon-well\",\"amount\":0,\"version\":" + STOCK + "}");
			assertThat(
					database.sql("select user_id from purchase where sku = 'dragon-well'").query(String.class).list())
				.hasSize(STOCK)
				.doesNotHaveDuplicates();
			// The unique key would have hidden it.
			assertThat(fleet.log()).filteredOn((line) -> line.contains("The lock of a sale did not hold")).isEmpty();
		}
	}

	/**
	 * Some customers try in both shops at once; the others in one of them.
	 */
	private List<CompletableFuture<HttpResponse<String>>> rush(List<Shop> shops) {
		List<Integer> customers = new ArrayList<>(IntStream.range(0, CUSTOMERS).boxed().toList());
		Collections.shuffle(customers, new Random(this.seed));
		List<CompletableFuture<HttpResponse<String>>> buyers = new ArrayList<>();
		for (int customer : customers) {
			buyers.add(buy(shops.get(customer % 2), customer));
			if (customer < TWICE) {
				buyers.add(buy(shops.get((customer + 1) % 2), customer));
			}
		}
		return buyers;
	}

	/**
	 * Buys as a customer does who is told that the stock is busy: again.
	 */
	private static CompletableFuture<HttpResponse<String>> buy(Shop shop, int customer) {
		return shop.postLater("/seckill/dragon-well?userId=customer-" + customer, "")
			.thenCompose((answer) -> (answer.statusCode() == 503) ? buy(shop, customer)
					: CompletableFuture.completedFuture(answer));
	}

}
