package io.idempotent.sample;

import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

import com.jayway.jsonpath.JsonPath;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import org.springframework.jdbc.core.simple.JdbcClient;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Two shops switch their lock engine again and again while customers buy in both.
 */
@Tag("slow")
class SwitchUnderLoadTests {

	private static final List<String> SWITCHES = List.of("jdbc", "redisson", "jdbc", "redisson", "jdbc", "redisson");

	private static final String PASSWORD = "not-generated";

	private static final int STOCK = 1_000_000;

	/** Few enough that the version of the stock is no bottleneck. */
	private static final int BUYERS = 4;

	private final AtomicBoolean open = new AtomicBoolean(true);

	private final AtomicInteger customers = new AtomicInteger();

	private final Queue<HttpResponse<String>> responses = new ConcurrentLinkedQueue<>();

	@Test
	void everyCustomerBuysOnceWhileTheNodesSwitch(@TempDir Path directory) {
		try (Fleet fleet = Fleet.start(directory, 2, "--spring.security.user.password=" + PASSWORD)) {
			JdbcClient database = fleet.database();
			database.sql("insert into stock (sku, amount, version) values ('dragon-well', ?, 0)").param(STOCK).update();
			List<CompletableFuture<Void>> buyers = IntStream.range(0, BUYERS)
				.mapToObj((i) -> CompletableFuture.runAsync(() -> buyInTurn(fleet.shops()),
						(task) -> new Thread(task).start()))
				.toList();
			switchInTurn(fleet.shops());
			this.open.set(false);
			buyers.forEach(CompletableFuture::join);

			assertEachCustomerBoughtOnce(database);
			Awaitility.await()
				.atMost(Duration.ofMinutes(1))
				.untilAsserted(() -> assertThat(fleet.shops()).extracting(SwitchUnderLoadTests::status)
					.containsOnly("redisson in epoch 7"));
			// The unique key would have hidden it.
			assertThat(fleet.log()).filteredOn((line) -> line.contains("The lock of a sale did not hold")).isEmpty();
		}
	}

	/** Each customer tries in both shops at once. */
	private void buyInTurn(List<Shop> shops) {
		while (this.open.get()) {
			int customer = this.customers.incrementAndGet();
			shops.stream()
				.map((shop) -> shop.postLater("/seckill/dragon-well?userId=customer-" + customer, ""))
				.toList()
				.forEach((response) -> this.responses.add(response.join()));
		}
	}

	/** Each switch waits until customers have bought on the engine in force. */
	private void switchInTurn(List<Shop> shops) {
		for (int i = 0; i < SWITCHES.size(); i++) {
			int enough = this.customers.get() + 5 * BUYERS;
			Awaitility.await().atMost(Duration.ofMinutes(1)).until(() -> this.customers.get() >= enough);
			HttpResponse<String> switched = shops.get(i % shops.size()).switchTo(SWITCHES.get(i), PASSWORD);
			assertThat(switched.statusCode()).as(switched.body()).isEqualTo(200);
			assertThat(JsonPath.<String>read(switched.body(), "$.engine")).isEqualTo(SWITCHES.get(i));
		}
	}

	private void assertEachCustomerBoughtOnce(JdbcClient database) {
		int sold = this.customers.get();
		assertThat(this.responses).filteredOn((response) -> response.statusCode() == 201).hasSize(sold);
		assertThat(this.responses).filteredOn((response) -> response.statusCode() != 201)
			.hasSize(sold)
			.extracting(Shop::codeOf)
			.containsOnly("already-bought");
		assertThat(database.sql("select user_id from purchase where sku = 'dragon-well'").query(String.class).list())
			.hasSize(sold)
			.doesNotHaveDuplicates();
		assertThat(database.sql("select amount from stock where sku = 'dragon-well'").query(Integer.class).single())
			.isEqualTo(STOCK - sold);
	}

	private static String status(Shop shop) {
		String body = shop.locks(PASSWORD).body();
		return JsonPath.read(body, "$.engine") + " in epoch " + JsonPath.read(body, "$.epoch");
	}

}
