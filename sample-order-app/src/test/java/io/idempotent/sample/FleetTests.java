package io.idempotent.sample;

import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import com.jayway.jsonpath.JsonPath;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.ClassOrderer;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestClassOrder;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * What shops in four processes promise together. Two of them are killed in the end: locks
 * wait for a switch to another engine as long as the lease of a dead node lasts.
 */
@Tag("slow")
@TestClassOrder(ClassOrderer.OrderAnnotation.class)
class FleetTests {

	private static final String PASSWORD = "not-generated";

	private static Provider provider;

	private static Fleet fleet;

	/** Those that live on. */
	private static List<Shop> shops;

	private final long seed = System.nanoTime();

	/** Tokens are signed: one that only Redis knew is refused once Redis is flushed. */
	@BeforeAll
	static void start(@TempDir Path directory) {
		provider = new Provider(directory);
		fleet = Fleet.start(directory, 4, "--idempotent.token.signing.active-key=one",
				"--idempotent.token.signing.keys.one=32 bytes and more, for the tests only",
				"--spring.security.user.password=" + PASSWORD, "--shop.provider.url=" + provider.url(),
				"--idempotent.defaults.lease=2s");
		shops = fleet.shops().subList(0, 2);
	}

	@AfterAll
	static void stop() {
		if (fleet != null) {
			fleet.close();
		}
		provider.close();
	}

	/**
	 * Redis forgets everything in the middle of it all, and the database still has each
	 * order once.
	 */
	@Nested
	class FlushedRedis {

		private static final Set<String> TRY_AGAIN = Set.of("in-progress", "store-unavailable");

		private static final int FORMS = 100;

		private static final int CLICKS = 6;

		@Test
		void aFlushAmongDuplicatesCausesNoSecondOrder() throws Exception {
			List<Form> forms = submitAll(new Random(FleetTests.this.seed));
			int flushes = 0;
			while (!forms.stream().allMatch(Form::isAnswered)) {
				fleet.flushRedis();
				flushes++;
				TimeUnit.MILLISECONDS.sleep(20);
			}
			assertThat(flushes).isGreaterThan(10);
			for (Form form : forms) {
				List<HttpResponse<String>> answers = form.clicks().stream().map(CompletableFuture::join).toList();
				assertThat(answers).as("seed %d", FleetTests.this.seed)
					.filteredOn((answer) -> answer.statusCode() != 201)
					.extracting(Shop::codeOf)
					.isSubsetOf("response-unavailable");
				assertThat(shops.get(0).orderIdsOf(form.userId())).as("seed %d", FleetTests.this.seed)
					.hasSize(1)
					.containsAll(answers.stream()
						.filter((answer) -> answer.statusCode() == 201)
						.map((answer) -> JsonPath.<Integer>read(answer.body(), "$.id"))
						.toList());
			}
		}

		@Test
		void repeatAfterAFlushIsRefused() {
			String token = shops.get(0).openForm();
			String order = Shop.order("zoe", "green-tea", 1);
			assertThat(shops.get(0).post("/orders", order, Shop.TOKEN_HEADER, token).statusCode()).isEqualTo(201);
			fleet.flushRedis();
			// The node that took the order remembers it near by.
			HttpResponse<String> repeat = shops.get(1).post("/orders", order, Shop.TOKEN_HEADER, token);
			assertThat(repeat.statusCode()).isEqualTo(409);
			assertThat(Shop.codeOf(repeat)).isEqualTo("response-unavailable");
			assertThat(shops.get(0).orderIdsOf("zoe")).hasSize(1);
		}

		/**
		 * Each form is sent several times, at moments that the seed draws, to both shops.
		 */
		private static List<Form> submitAll(Random random) {
			return IntStream.range(0, FORMS).mapToObj((i) -> {
				String path = "/orders/slow?millis=" + random.nextInt(200);
				String order = Shop.order("customer-" + i, "green-tea", 1);
				String token = shops.get(0).openForm();
				return new Form("customer-" + i,
						IntStream.range(0, CLICKS)
							.mapToObj((click) -> after(random.nextInt(3000),
									() -> insist(shops.get(click % shops.size()), path, order, token)))
							.toList());
			}).toList();
		}

		private static CompletableFuture<HttpResponse<String>> insist(Shop shop, String path, String order,
				String token) {
			return shop.postLater(path, order, Shop.TOKEN_HEADER, token)
				.thenCompose((answer) -> (answer.statusCode() == 201 || !TRY_AGAIN.contains(Shop.codeOf(answer)))
						? CompletableFuture.completedFuture(answer)
						: after(100, () -> insist(shop, path, order, token)));
		}

		private static CompletableFuture<HttpResponse<String>> after(int millis,
				Supplier<CompletableFuture<HttpResponse<String>>> work) {
			return CompletableFuture.completedFuture(work)
				.thenComposeAsync(Supplier::get, CompletableFuture.delayedExecutor(millis, TimeUnit.MILLISECONDS));
		}

		private record Form(String userId, List<CompletableFuture<HttpResponse<String>>> clicks) {

			boolean isAnswered() {
				return this.clicks.stream().allMatch(CompletableFuture::isDone);
			}

		}

	}

	/**
	 * Customers buy in two shops with one stock.
	 */
	@Nested
	class ScarceArticles {

		private static final List<String> SWITCHES = List.of("jdbc", "redisson", "jdbc", "redisson", "jdbc",
				"redisson");

		/** Few enough that the version of the stock is no bottleneck. */
		private static final int BUYERS = 4;

		@Test
		void twoNodesSellTheStockOncePerCustomer() {
			stock("gyokuro", 200);
			List<HttpResponse<String>> answers = rush(320, 80).stream().map(CompletableFuture::join).toList();
			assertThat(answers).as("seed %d", FleetTests.this.seed)
				.filteredOn((answer) -> answer.statusCode() == 201)
				.hasSize(200);
			assertThat(answers).filteredOn((answer) -> answer.statusCode() != 201)
				.extracting(Shop::codeOf)
				.contains("sold-out", "already-bought")
				.isSubsetOf("sold-out", "already-bought", "locked");
			assertThat(shops).extracting((shop) -> shop.get("/stock/gyokuro").body())
				.containsOnly("{\"sku\":\"gyokuro\",\"amount\":0,\"version\":200}");
			assertSoldOncePerCustomer("gyokuro", 200);
		}

		/** Some customers try in both shops at once; the others in one of them. */
		private List<CompletableFuture<HttpResponse<String>>> rush(int customers, int twice) {
			List<Integer> all = new ArrayList<>(IntStream.range(0, customers).boxed().toList());
			Collections.shuffle(all, new Random(FleetTests.this.seed));
			return all.stream()
				.flatMap((customer) -> IntStream.range(0, (customer < twice) ? 2 : 1)
					.mapToObj((i) -> buy(shops.get((customer + i) % 2), customer)))
				.toList();
		}

		/** As a customer does who is told that the stock is busy: again. */
		private static CompletableFuture<HttpResponse<String>> buy(Shop shop, int customer) {
			return shop.postLater("/seckill/gyokuro?userId=customer-" + customer, "")
				.thenCompose((answer) -> (answer.statusCode() == 503) ? buy(shop, customer)
						: CompletableFuture.completedFuture(answer));
		}

		@Test
		void everyCustomerBuysOnceWhileTheNodesSwitch() {
			stock("dragon-well", 1_000_000);
			AtomicBoolean open = new AtomicBoolean(true);
			AtomicInteger customers = new AtomicInteger();
			Queue<HttpResponse<String>> responses = new ConcurrentLinkedQueue<>();
			// Each customer tries in both shops at once.
			Runnable buyInTurn = () -> {
				while (open.get()) {
					String path = "/seckill/dragon-well?userId=customer-" + customers.incrementAndGet();
					shops.stream()
						.map((shop) -> shop.postLater(path, ""))
						.toList()
						.forEach((response) -> responses.add(response.join()));
				}
			};
			List<CompletableFuture<Void>> buyers = Stream
				.generate(() -> CompletableFuture.runAsync(buyInTurn, (task) -> new Thread(task).start()))
				.limit(BUYERS)
				.toList();
			switchInTurn(customers);
			open.set(false);
			buyers.forEach(CompletableFuture::join);

			assertThat(responses).filteredOn((response) -> response.statusCode() == 201).hasSize(customers.get());
			assertThat(responses).filteredOn((response) -> response.statusCode() != 201)
				.hasSize(customers.get())
				.extracting(Shop::codeOf)
				.containsOnly("already-bought");
			assertThat(JsonPath.<Integer>read(shops.get(0).get("/stock/dragon-well").body(), "$.amount"))
				.isEqualTo(1_000_000 - customers.get());
			assertSoldOncePerCustomer("dragon-well", customers.get());
			await().atMost(Duration.ofMinutes(1))
				.untilAsserted(
						() -> assertThat(shops).extracting(ScarceArticles::status).containsOnly("redisson in epoch 7"));
		}

		/** Each switch waits until customers have bought on the engine in force. */
		private static void switchInTurn(AtomicInteger customers) {
			for (int i = 0; i < SWITCHES.size(); i++) {
				int enough = customers.get() + 5 * BUYERS;
				await().atMost(Duration.ofMinutes(1)).until(() -> customers.get() >= enough);
				HttpResponse<String> switched = shops.get(i % 2).switchTo(SWITCHES.get(i), PASSWORD);
				assertThat(switched.statusCode()).as(switched.body()).isEqualTo(200);
				assertThat(JsonPath.<String>read(switched.body(), "$.engine")).isEqualTo(SWITCHES.get(i));
			}
		}

		private static String status(Shop shop) {
			String body = shop.locks(PASSWORD).body();
			return JsonPath.read(body, "$.engine") + " in epoch " + JsonPath.read(body, "$.epoch");
		}

		private static void stock(String sku, int amount) {
			fleet.database()
				.sql("insert into stock (sku, amount, version) values (?, ?, 0)")
				.params(sku, amount)
				.update();
		}

		private static void assertSoldOncePerCustomer(String sku, int sold) {
			assertThat(fleet.database()
				.sql("select user_id from purchase where sku = ?")
				.param(sku)
				.query(String.class)
				.list()).hasSize(sold).doesNotHaveDuplicates();
			// The unique key would have hidden it.
			assertThat(fleet.log()).filteredOn((line) -> line.contains("The lock of a sale did not hold")).isEmpty();
		}

	}

	/**
	 * Whoever is killed, a subscription is charged, booked and confirmed once.
	 */
	@Nested
	@Order(Integer.MAX_VALUE)
	class Subscriptions {

		private static final List<String> SERVICES = List.of("charges", "mails");

		private final String key = UUID.randomUUID().toString();

		private final String body = "{\"tea\": \"sencha\", \"email\": \"" + this.key + "@example.com\"}";

		private final List<Integer> effectsBefore = effects();

		/** Each of them kills another node. */
		@ParameterizedTest
		@ValueSource(ints = { 0, 1 })
		void aNodeIsKilledWhileItCallsTheProvider(int number) {
			String service = SERVICES.get(number);
			int before = provider.calls(service);
			provider.pause(service);
			CompletableFuture<HttpResponse<String>> first = fleet.shops()
				.get(2 + number)
				.postLater("/subscriptions", this.body, "Idempotency-Key", this.key);
			await().atMost(Duration.ofMinutes(1)).until(() -> provider.calls(service) == before + 1);
			fleet.kill(2 + number);
			provider.resume(service);
			assertThat(first).failsWithin(Duration.ofSeconds(10));
			HttpResponse<String> repeat = await().atMost(Duration.ofMinutes(1))
				.until(this::subscribe, (answer) -> answer.statusCode() == 201);
			assertThat(JsonPath.<String>read(repeat.body(), "$.charge"))
				.isEqualTo("charges-" + (this.effectsBefore.get(0) + 1));
			assertThat(provider.calls(service)).as("with the same key").isEqualTo(before + 2);
			assertOnce();
		}

		@Test
		void theProviderIsKilled() {
			provider.kill();
			assertThat(subscribe().statusCode()).isEqualTo(500);
			provider.start();
			assertThat(subscribe().statusCode()).isEqualTo(201);
			assertThat(Shop.isReplay(subscribe())).isTrue();
			assertOnce();
		}

		private HttpResponse<String> subscribe() {
			return shops.get(0).post("/subscriptions", this.body, "Idempotency-Key", this.key);
		}

		private void assertOnce() {
			assertThat(effects()).isEqualTo(this.effectsBefore.stream().map((count) -> count + 1).toList());
			assertThat(fleet.database()
				.sql("select count(*) from subscription where email like ?")
				.param(this.key + "%")
				.query(Integer.class)
				.single()).isOne();
		}

		private static List<Integer> effects() {
			return SERVICES.stream().map((service) -> provider.effects(service)).toList();
		}

	}

}
