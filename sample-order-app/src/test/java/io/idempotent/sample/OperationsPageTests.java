package io.idempotent.sample;

import java.net.URLEncoder;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;

import com.jayway.jsonpath.JsonPath;
import io.idempotent.browser.ScriptPages;
import io.idempotent.embedded.EmbeddedRedis;
import io.idempotent.lock.DistributedLock;
import io.idempotent.lock.DistributedLocks;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.openqa.selenium.By;
import org.openqa.selenium.Keys;

import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/**
 * An operator finds orders whose node has died, and mends them: in a browser, and by
 * HTTP.
 */
@Tag("slow")
class OperationsPageTests {

	private static final String OPERATION = "OrderController.createSlowly";

	private static final String PASSWORD = "not-generated";

	/** HTML, were it not for the page. */
	private static final String REASON = "no <img src=x onerror=alert(1)> in the \"books\"";

	/** Milliseconds that an order takes on the node that dies. */
	private static final int SLOW = 60_000;

	@TempDir
	private static Path directory;

	private static Provider provider;

	private static ConfigurableApplicationContext node;

	private static Shop shop;

	private static ScriptPages pages;

	private static Browser browser;

	/** The tokens of orders that a node has begun, which is dead. */
	private static List<String> stuck;

	@BeforeAll
	static void startNodesAndBrowser() {
		assumeTrue(Browser.isInstalled(),
				"Chromium is not installed, so the page is not tested: apt-get install chromium chromium-driver");
		provider = new Provider(directory);
		String database = "--spring.datasource.url=jdbc:h2:file:" + directory.resolve("shop") + ";AUTO_SERVER=TRUE";
		String lease = "--idempotent.operations[" + OPERATION + "].lease=6s";
		String policy = "--idempotent.operations[" + OPERATION + "].when-unknown=reject";
		node = new SpringApplication(SampleOrderApplication.class, ScriptPages.class).run("--server.port=0", database,
				lease, policy, "--spring.security.user.password=" + PASSWORD, "--shop.provider.url=" + provider.url());
		shop = Shop.of(node);
		pages = node.getBean(ScriptPages.class);
		CompletableFuture<Browser> starting = CompletableFuture
			.supplyAsync(() -> Browser.start(directory.resolve("profile")));
		try {
			stuck = strandOrders(2, database, lease, policy,
					"--spring.data.redis.port=" + node.getBean(EmbeddedRedis.class).port());
		}
		finally {
			// Otherwise it would outlive the tests.
			browser = starting.join();
		}
		browser.size(1200, 900);
		logIn(node);
	}

	/** Lets another node begin orders, and kills it. */
	private static List<String> strandOrders(int number, String... arguments) {
		try (Node dying = Node.start(Map.of(), arguments)) {
			List<String> tokens = Stream.generate(dying.shop()::openForm).limit(number).toList();
			List<CompletableFuture<HttpResponse<String>>> running = tokens.stream()
				.map((token) -> dying.shop()
					.postLater("/orders/slow?millis=" + SLOW, Shop.order("alice", "green-tea", 1), Shop.TOKEN_HEADER,
							token))
				.toList();
			tokens.forEach((token) -> awaitState(token, "IN_PROGRESS"));
			assertThat(running).noneMatch(CompletableFuture::isDone);
			return tokens;
		}
	}

	private static void logIn(ConfigurableApplicationContext application) {
		browser.open(Shop.of(application).url("/idempotent"));
		browser.fill("#username", "operator");
		browser.fill("#password", PASSWORD);
		browser.press(Keys.ENTER);
		browser.see("nav a");
	}

	@AfterAll
	static void stop() {
		if (browser != null) {
			browser.close();
		}
		if (node != null) {
			node.close();
		}
		if (provider != null) {
			provider.close();
		}
	}

	@AfterEach
	void nothingIsLeft() {
		browser.leavePages();
		pages.forget();
		provider.restart();
		browser.size(1200, 900);
		assertThat(browser.complaints()).as("what the policy refused").isEmpty();
	}

	@Test
	void stuckOrderIsFoundWatchedAndReleased() {
		String token = stuck.get(0);
		browser.open(url("/idempotent#/find"));
		findByToken(token);
		browser.see(".record h2", "Outcome unknown");
		assertThat(browser.address()).contains("#/find?id=").doesNotContain(token);
		browser.screenshot("page-record");
		browser.click("[id^='release-']");
		browser.see("dialog #reason");
		browser.fill("#reason", REASON);
		browser.click("dialog .danger");
		browser.see(".record h2", "Token issued");
		browser.click("#nav-interventions");
		assertThat(browser.see("main section:first-of-type tr", REASON).getText()).contains("Release", OPERATION,
				"operator");
		assertThat(browser.see("main section:last-of-type tr", REASON).getText()).contains("IDEMPOTENT_RELEASE");
		assertThat(browser.run("return document.querySelectorAll('main img').length")).isEqualTo(0L);
		assertThat(submitAgain(token, 0).statusCode()).isEqualTo(201);
	}

	@Test
	void stuckOrderIsConfirmedByKeyboardAlone() {
		String token = stuck.get(1);
		awaitState(token, "UNKNOWN");
		assertThat(Shop.codeOf(submitAgain(token, SLOW))).isEqualTo("outcome-unknown");
		browser.open(url("/idempotent#/overview"));
		browser.see("#operations");
		browser.tabTo("#nav-unknown");
		browser.press(Keys.ENTER);
		String id = JsonPath.read(record(token).body(), "$.id");
		browser.see("[id='confirm-" + id + "']");
		browser.tabTo("[id='confirm-" + id + "']");
		browser.press(Keys.ENTER);
		browser.see("dialog");
		browser.press(Keys.ESCAPE);
		browser.await("the focus back on the button",
				() -> (boolean) browser.run(
						"return document.activeElement.id === arguments[0] && !document.querySelector('dialog')",
						"confirm-" + id));
		browser.press(Keys.ENTER);
		browser.see("dialog #reason");
		browser.press("seen in the books");
		browser.tabTo("dialog .danger");
		browser.press(Keys.ENTER);
		browser.see("#status", "is confirmed");
		awaitState(token, "COMPLETED");
		assertThat(Shop.codeOf(submitAgain(token, SLOW))).isEqualTo("response-unavailable");
	}

	@Test
	void aCompletedOrderHasNoActions() {
		String token = shop.openForm();
		shop.post("/orders/slow?millis=0", Shop.order("bob", "green-tea", 1), Shop.TOKEN_HEADER, token);
		browser.open(url("/idempotent#/find"));
		findByToken(token);
		browser.see(".record h2", "Completed");
		assertThat(browser.text(".record")).contains("status 201");
		assertThat(browser.run("return document.querySelectorAll('.record button').length")).isEqualTo(0L);
	}

	@Test
	void aHashFromTheLogLeadsToTheRecord() {
		browser.open(url("/idempotent#/find?id=" + JsonPath.<String>read(record(stuck.get(1)).body(), "$.hash")));
		assertThat(browser.see(".record").getText()).contains(OPERATION);
		browser.size(360, 740);
		assertThat((Long) browser.run("return document.documentElement.scrollWidth")).isLessThanOrEqualTo(360L);
		browser.size(1200, 900);
	}

	@Test
	void aRunningOrderIsNotReleasedWithoutForce() {
		pages.holdOrders();
		String token = shop.openForm();
		CompletableFuture<HttpResponse<String>> running = shop.postLater("/script/orders?item=tea&note=held", "{}",
				Shop.TOKEN_HEADER, token);
		Awaitility.await().atMost(Duration.ofMinutes(1)).until(pages::hasEffects);
		browser.open(url("/idempotent#/find"));
		find("ScriptPages.order", token);
		browser.see(".record h2", "In progress");
		browser.click("[id^='release-']");
		browser.fill("#reason", "impatience");
		browser.click("dialog .danger");
		assertThat(browser.text("dialog [role='alert']")).contains("409", "lease of the owner");
		browser.click("dialog [type='button']");
		pages.answerOrders();
		browser.see("#status", "Completed");
		assertThat(running.join().statusCode()).isEqualTo(302);
	}

	@Test
	void aRefusalNamesAnAction() {
		browser.open(url("/idempotent#/find"));
		findByToken("none");
		assertThat(browser.text(".result .notice")).contains("400", "token");
	}

	@Test
	void aHalfDoneSubscriptionIsSeenAndFinished() {
		provider.pause("mails");
		CompletableFuture<HttpResponse<String>> first = shop.postLater("/subscriptions",
				"{\"tea\": \"sencha\", \"email\": \"ida@example.com\"}", "Idempotency-Key", "1");
		Awaitility.await().atMost(Duration.ofMinutes(1)).until(() -> provider.calls("mails") == 1);
		provider.kill();
		assertThat(first.join().statusCode()).isEqualTo(500);
		browser.open(url("/idempotent#/steps"));
		assertThat(browser.see("main tbody tr", "SubscriptionService.subscribe").getText()).contains("charge", "book",
				"mail", "interrupted");
		browser.screenshot("page-steps");
		provider.start();
		browser.click("[id^='resume-']");
		browser.fill("#reason", "the provider is back");
		browser.click("dialog [type='submit']");
		browser.see("#status", "is called again");
		awaitSubscription("ida@example.com");
		assertThat(provider.effects("charges")).isOne();
		assertThat(provider.effects("mails")).isOne();
	}

	@Test
	void anInterruptedStepIsConfirmed() {
		provider.kill();
		try {
			assertThat(shop
				.post("/subscriptions", "{\"tea\": \"oolong\", \"email\": \"jo@example.com\"}", "Idempotency-Key", "2")
				.statusCode()).isEqualTo(500);
			browser.open(url("/idempotent#/steps"));
			browser.click("[id^='confirmStep-']");
			browser.fill("#input", "{\"id\": \"paid by cheque\"}");
			browser.fill("#reason", "the cheque is here");
			browser.click("dialog .danger");
			browser.see("#status", "is confirmed");
			browser.see("main tbody tr", "done");
		}
		finally {
			provider.start();
		}
		browser.click("[id^='resume-']");
		browser.fill("#reason", "paid");
		browser.click("dialog [type='submit']");
		awaitSubscription("paid by cheque");
	}

	/** The page would show by itself, a while later, that no steps are left. */
	private static void awaitSubscription(String text) {
		Awaitility.await()
			.atMost(Duration.ofMinutes(1))
			.untilAsserted(() -> assertThat(
					shop.get("/actuator/idempotentsteps", "Authorization", Shop.operator(PASSWORD)).body())
				.doesNotContain("SubscriptionService.subscribe"));
		browser.reload();
		browser.see("main .empty");
		assertThat(shop.get("/subscriptions").body()).containsOnlyOnce(text);
	}

	@Test
	void anEndpointThatRanARequestTwiceIsShown() {
		String reminder = "{\"phone\": \"5550199\", \"text\": \"tea\", \"at\": \"" + Instant.now() + "\"}";
		assertThat(shop.post("/reminders", reminder).statusCode()).isEqualTo(201);
		assertThat(shop.post("/reminders", reminder).statusCode()).isEqualTo(201);
		browser.open(url("/idempotent#/detector"));
		browser.await("the repeat", () -> browser.text("main tbody tr:first-of-type td:nth-child(4)").equals("1"));
		assertThat(browser.text("main tbody tr:first-of-type")).contains("POST /reminders", "ReminderController.add",
				"none");
		assertThat(browser.see("main tbody tr", "POST /orders").getText()).contains("OrderController.create",
				"idempotent");
	}

	@Test
	void ratesFollowTheSubmissions() {
		browser.open(url("/idempotent#/overview"));
		shop.submit("/orders", Shop.order("carol", "green-tea", 1));
		browser.see(".rates .badge", "run");
		browser.await("a rate above zero, and points of a curve", () -> {
			submitTwice();
			return !browser.text(".rates tbody tr td:nth-child(3)").equals("0.0")
					&& (Long) browser.run("return document.querySelectorAll('.rates polyline').length") >= 2;
		});
		browser.see(".rates .badge", "replayed");
	}

	private static void submitTwice() {
		String token = shop.openForm();
		String order = Shop.order("carol", "green-tea", 1);
		shop.post("/orders", order, Shop.TOKEN_HEADER, token);
		assertThat(Shop.isReplay(shop.post("/orders", order, Shop.TOKEN_HEADER, token))).isTrue();
	}

	@Test
	void operationsShowWhereASettingComesFrom() {
		browser.open(url("/idempotent#/overview"));
		browser.see("tr", OPERATION).findElement(By.tagName("summary")).click();
		assertThat(browser.see("tr tr", "idempotent.operations").getText()).contains("lease", "PT6S");
	}

	@Test
	void aLockIsTakenFromItsHolder() {
		DistributedLock lock = node.getBean(DistributedLocks.class).get("audit:2026");
		lock.lock();
		try {
			browser.open(url("/idempotent#/locks"));
			browser.click("[id='held-audit:2026']");
			browser.see(".record h2", "Held");
			assertThat(browser.text(".record")).contains("this node");
			browser.click("#force-release");
			browser.fill("#reason", "the import hangs");
			browser.click("dialog .danger");
			browser.see(".record h2", "Free");
			Awaitility.await().atMost(Duration.ofMinutes(1)).until(() -> !lock.isValid());
		}
		finally {
			unlock(lock);
		}
		browser.click("#nav-interventions");
		assertThat(browser.see("main section:first-of-type tr", "the import hangs").getText()).contains("audit:2026",
				"operator");
	}

	private static void unlock(DistributedLock lock) {
		try {
			lock.unlock();
		}
		catch (RuntimeException ex) {
			// It is lost, as it should be.
			assertThat(lock.isValid()).isFalse();
		}
	}

	@Test
	void aHiddenTabAsksNothing() {
		browser.open(url("/idempotent#/overview"));
		browser.see(".rates, .notice");
		hide(true);
		AtomicLong asked = new AtomicLong();
		// Some were under way.
		Awaitility.await().atMost(Duration.ofMinutes(1)).during(Duration.ofSeconds(3)).until(() -> {
			long now = requests();
			return asked.getAndSet(now) == now;
		});
		hide(false);
		browser.await("requests again", () -> requests() > asked.get());
	}

	private static void hide(boolean hidden) {
		browser.run("const hidden = arguments[0]; Object.defineProperty(document, 'hidden', { configurable: true, "
				+ "get: () => hidden }); document.dispatchEvent(new Event('visibilitychange'))", hidden);
	}

	private static long requests() {
		return (Long) browser.run("return performance.getEntriesByType('resource')"
				+ ".filter((entry) -> entry.name.includes('/actuator/')).length".replace("->", "=>"));
	}

	@ParameterizedTest
	@ValueSource(strings = { "__proto__", "constructor", "none" })
	void anAddressThatNamesNoViewShowsTheOverview(String view) {
		browser.open(url("/idempotent#/" + view));
		browser.see("#operations");
	}

	@Test
	void disabledFeaturesNameTheirProperty() {
		try (ConfigurableApplicationContext closed = new SpringApplication(SampleOrderApplication.class).run(
				"--server.port=0", "--server.servlet.session.cookie.name=closed",
				"--spring.data.redis.port=" + node.getBean(EmbeddedRedis.class).port(),
				"--management.endpoints.web.exposure.include=idempotent",
				"--management.endpoint.idempotent.access=read-only", "--spring.security.user.password=" + PASSWORD)) {
			logIn(closed);
			browser.see(".notice", "management.endpoints.web.exposure.include");
			browser.click("#nav-unknown");
			browser.see(".notice", "management.endpoint.idempotent.access=unrestricted");
			browser.click("#nav-locks");
			assertThat(browser.text(".notice")).contains("locks", "management.endpoints.web.exposure.include");
		}
	}

	@Nested
	class Appearance {

		@AfterEach
		void reset() {
			browser.colours("light");
		}

		@Test
		void chineseIsOneClickAway() {
			browser.open(url("/idempotent#/unknown"));
			browser.click("[data-language='zh']");
			browser.see("nav a", "结果未知");
			assertThat(browser.run("return document.documentElement.lang")).isEqualTo("zh");
			assertThat((String) browser.run("return document.body.innerText")).doesNotContain("Unknown outcomes");
			browser.click("[data-language='en']");
			browser.see("nav a", "Unknown outcomes");
		}

		@ParameterizedTest
		@ValueSource(strings = { "overview", "find", "unknown", "steps", "locks", "interventions" })
		void nothingIsWiderThanAPhone(String view) {
			browser.size(360, 740);
			browser.open(url("/idempotent#/" + view));
			browser.see("main section, main form");
			browser.await("the view", () -> !browser.text("main").contains("Loading"));
			assertThat((Long) browser.run("return document.documentElement.scrollWidth")).isLessThanOrEqualTo(360L);
		}

		@Test
		void darkModeIsDark() {
			browser.colours("light");
			browser.open(url("/idempotent#/locks"));
			browser.see("nav a");
			long light = brightness();
			browser.colours("dark");
			assertThat(light).isGreaterThan(600);
			assertThat(brightness()).isLessThan(150);
		}

		private long brightness() {
			return (Long) browser.run("return getComputedStyle(document.documentElement).backgroundColor.match(/\\d+/g)"
					+ ".slice(0, 3).reduce((sum, part) => sum + Number(part), 0)");
		}

	}

	private static void findByToken(String token) {
		find(OPERATION, token);
	}

	private static void find(String operation, String key) {
		browser.see("#operation option");
		browser.run("document.getElementById('operation').value = arguments[0]", operation);
		browser.fill("#key", key);
		browser.press(Keys.ENTER);
	}

	private static HttpResponse<String> submitAgain(String token, int millis) {
		return shop.post("/orders/slow?millis=" + millis, Shop.order("alice", "green-tea", 1), Shop.TOKEN_HEADER,
				token);
	}

	private static void awaitState(String token, String state) {
		Awaitility.await()
			.atMost(Duration.ofMinutes(1))
			.until(() -> JsonPath.<String>read(record(token).body(), "$.state").equals(state));
	}

	private static HttpResponse<String> record(String token) {
		return shop.get("/actuator/idempotent/record?operation=" + OPERATION + "&key="
				+ URLEncoder.encode(token, StandardCharsets.UTF_8), "Authorization", Shop.operator(PASSWORD));
	}

	private static String url(String path) {
		return shop.url(path);
	}

}
