package io.idempotent.sample;

import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.IntStream;

import com.jayway.jsonpath.JsonPath;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Redis forgets everything in the middle of it all, and the database still has each order
 * once. Tokens are signed here: one that only Redis knew is refused once Redis has
 * forgotten it.
 */
@Tag("slow")
class FlushedRedisTests {

	private static final String SIGNED = "--idempotent.token.mode=signed";

	private static final String ACTIVE_KEY = "--idempotent.token.signing.active-key=one";

	private static final String KEY = "--idempotent.token.signing.keys.one=32 bytes and more, for the tests only";

	private static final Set<String> TRY_AGAIN = Set.of("in-progress", "store-unavailable");

	private static final int FORMS = 100;

	private static final int CLICKS = 6;

	@TempDir
	private static Path directory;

	private static Fleet fleet;

	private final long seed = System.nanoTime();

	@BeforeAll
	static void startFleet() {
		fleet = Fleet.start(directory, 2, SIGNED, ACTIVE_KEY, KEY);
	}

	@AfterAll
	static void stopFleet() {
		if (fleet != null) {
			fleet.close();
		}
	}

	@Test
	void aFlushAmongDuplicatesCausesNoSecondOrder() throws Exception {
		List<Form> forms = submitAll(fleet.shops());
		int flushes = 0;
		while (!forms.stream().allMatch(Form::isAnswered)) {
			fleet.flushRedis();
			flushes++;
			TimeUnit.MILLISECONDS.sleep(20);
		}
		System.out.println(FORMS * CLICKS + " submissions, FLUSHALL " + flushes + " times, seed " + this.seed);
		assertThat(flushes).isGreaterThan(10);
		Shop shop = fleet.shops().get(0);
		assertThat(forms).as("seed %d", this.seed).extracting(Form::told).allSatisfy((told) -> {
			assertThat(shop.orderIdsOf(told.userId())).hasSize(1).containsAll(told.orders());
			assertThat(told.refusals()).isSubsetOf("response-unavailable");
		});
	}

	@Test
	void repeatAfterAFlushIsRefused() {
		HttpResponse<String> repeat = repeatAfterAFlush(fleet);
		assertThat(repeat.statusCode()).isEqualTo(409);
		assertThat(Shop.codeOf(repeat)).isEqualTo("response-unavailable");
		assertThat(fleet.shops().get(0).orderIdsOf("zoe")).hasSize(1);
	}

	@Test
	void repeatAfterAFlushIsASecondOrderWithoutReceipts(@TempDir Path other) {
		try (Fleet unguarded = Fleet.start(other, 2, SIGNED, ACTIVE_KEY, KEY,
				"--idempotent.guard.receipt.enabled=false")) {
			assertThat(repeatAfterAFlush(unguarded).statusCode()).isEqualTo(201);
			assertThat(unguarded.shops().get(0).orderIdsOf("zoe")).hasSize(2);
		}
	}

	private static HttpResponse<String> repeatAfterAFlush(Fleet shops) {
		Shop first = shops.shops().get(0);
		Shop second = shops.shops().get(1);
		String token = first.openForm();
		String order = Shop.order("zoe", "green-tea", 1);
		assertThat(first.post("/orders", order, Shop.TOKEN_HEADER, token).statusCode()).isEqualTo(201);
		shops.flushRedis();
		// The node that took the order remembers it near by.
		return second.post("/orders", order, Shop.TOKEN_HEADER, token);
	}

	/**
	 * Each form is sent several times, at moments that the seed draws, to both shops.
	 */
	private List<Form> submitAll(List<Shop> shops) {
		Random random = new Random(this.seed);
		return IntStream.range(0, FORMS).mapToObj((i) -> {
			String path = "/orders/slow?millis=" + random.nextInt(200);
			String order = Shop.order("customer-" + i, "green-tea", 1);
			String token = shops.get(0).openForm();
			List<CompletableFuture<HttpResponse<String>>> clicks = IntStream.range(0, CLICKS)
				.mapToObj((click) -> after(random.nextInt(3000),
						() -> insist(shops.get(click % shops.size()), path, order, token)))
				.toList();
			return new Form("customer-" + i, clicks);
		}).toList();
	}

	private static CompletableFuture<HttpResponse<String>> insist(Shop shop, String path, String order, String token) {
		return shop.postLater(path, order, Shop.TOKEN_HEADER, token)
			.thenCompose((answer) -> isLastWord(answer) ? CompletableFuture.completedFuture(answer)
					: after(100, () -> insist(shop, path, order, token)));
	}

	private static boolean isLastWord(HttpResponse<String> answer) {
		return answer.statusCode() == 201 || !TRY_AGAIN.contains(Shop.codeOf(answer));
	}

	private static CompletableFuture<HttpResponse<String>> after(int millis,
			Supplier<CompletableFuture<HttpResponse<String>>> work) {
		return CompletableFuture.completedFuture(work)
			.thenComposeAsync(Supplier::get, CompletableFuture.delayedExecutor(millis, TimeUnit.MILLISECONDS));
	}

	/**
	 * One form and what its clicks were told.
	 *
	 * @param userId whose form, and nobody else's
	 * @param clicks the answers
	 */
	private record Form(String userId, List<CompletableFuture<HttpResponse<String>>> clicks) {

		boolean isAnswered() {
			return this.clicks.stream().allMatch(CompletableFuture::isDone);
		}

		Told told() {
			Told told = new Told(this.userId, new TreeSet<>(), new TreeSet<>());
			for (CompletableFuture<HttpResponse<String>> click : this.clicks) {
				HttpResponse<String> answer = click.join();
				if (answer.statusCode() == 201) {
					told.orders().add(JsonPath.read(answer.body(), "$.id"));
				}
				else {
					told.refusals().add(Shop.codeOf(answer));
				}
			}
			return told;
		}

	}

	/**
	 * What a customer was told.
	 *
	 * @param userId who
	 * @param orders the ids of the orders
	 * @param refusals the codes of the refusals
	 */
	private record Told(String userId, Set<Integer> orders, Set<String> refusals) {
	}

}
