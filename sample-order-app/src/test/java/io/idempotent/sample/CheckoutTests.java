package io.idempotent.sample;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

import io.idempotent.testing.FaultyProxy;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.io.TempDir;

import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.io.support.PathMatchingResourcePatternResolver;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/**
 * What customers do with the checkout, in a browser that runs no scripts, and where Turbo
 * sends the forms.
 */
@Tag("slow")
class CheckoutTests {

	private static final String PASSWORD = "not-generated";

	@TempDir
	private static Path directory;

	private static ConfigurableApplicationContext node;

	private static Shop shop;

	private static Browser browser;

	private String customer;

	@BeforeAll
	static void startShopAndBrowser() {
		assumeTrue(Browser.isInstalled(),
				"Chromium is not installed, so the checkout is not tested: apt-get install chromium chromium-driver");
		node = new SpringApplication(SampleOrderApplication.class).run("--server.port=0",
				"--spring.datasource.url=jdbc:h2:mem:checkout", "--spring.security.user.password=" + PASSWORD);
		shop = Shop.of(node);
		browser = Browser.start(directory.resolve("profile"));
		browser.size(1200, 900);
	}

	@AfterAll
	static void stop() {
		if (browser != null) {
			browser.close();
		}
		if (node != null) {
			node.close();
		}
	}

	@BeforeEach
	void newCustomer(TestInfo test) {
		this.customer = test.getTestMethod().orElseThrow().getName();
	}

	@AfterEach
	void forgetCustomer() {
		browser.forgetCookies();
	}

	@Nested
	class WithoutScripts {

		@BeforeEach
		void disableScripts() {
			browser.scripts(false);
		}

		@Test
		void noScriptRuns() {
			browser.open(url("/"));
			assertThat(browser.text("#count")).isEqualTo("–");
		}

		@Test
		void doubleClickOrdersOnce() {
			openForm("/checkout");
			browser.doubleClick("#order button");
			int order = placedOrder();
			assertThat(orders()).containsExactly(order);
		}

		@Test
		void impatienceOnASlowNetworkOrdersOnce() {
			openForm("/checkout");
			browser.delayNetwork(Duration.ofMillis(600));
			try {
				browser.doubleClick("#order button");
				int order = placedOrder();
				assertThat(orders()).containsExactly(order);
			}
			finally {
				browser.delayNetwork(Duration.ZERO);
			}
		}

		@Test
		void reloadOrdersNothing() {
			openForm("/checkout");
			int order = order();
			browser.reload();
			assertThat(placedOrder()).isEqualTo(order);
			assertThat(orders()).containsExactly(order);
		}

		@Test
		void backAndAgainIsARepeat() {
			openForm("/checkout");
			int order = order();
			browser.back();
			assertThat(browser.value("#userId")).isEqualTo(CheckoutTests.this.customer);
			assertThat(order()).isEqualTo(order);
			assertThat(orders()).containsExactly(order);
		}

		@Test
		void backAndChangeAsksFirst() {
			openForm("/checkout");
			int first = order();
			browser.back();
			browser.fill("#quantity", "7");
			browser.click("#order button");
			browser.see("h1", "This form was sent before");
			assertThat(orders()).containsExactly(first);
			browser.click("form button");
			int second = placedOrder();
			assertThat(browser.text("#article")).startsWith("7 ");
			assertThat(orders()).containsExactly(first, second);
		}

		@Test
		void twoTabsAreTwoOrders() {
			openForm("/checkout");
			browser.openTab(url("/checkout"));
			browser.fill("#userId", CheckoutTests.this.customer);
			int second = order();
			browser.closeTab();
			browser.scripts(false);
			int third = order();
			assertThat(orders()).containsExactly(second, third);
		}

		@Test
		void expiredFormKeepsItsEntries() {
			openForm("/checkout");
			browser.fill("#quantity", "5");
			forgetTokens();
			browser.click("#order button");
			browser.see("h1", "This form has expired");
			assertThat(orders()).isEmpty();
			browser.doubleClick("form button");
			int order = placedOrder();
			assertThat(browser.text("#article")).startsWith("5 ");
			assertThat(orders()).containsExactly(order);
		}

		@Test
		void refusalLeadsBackToTheForm() {
			openForm("/checkout");
			forgetTokens();
			browser.click("#order button");
			browser.see("h1", "This form has expired");
			browser.click("p a");
			browser.see("h1", "Checkout");
			assertThat(browser.address()).isEqualTo(url("/checkout"));
			browser.fill("#userId", CheckoutTests.this.customer);
			assertThat(orders()).isEmpty();
			assertThat(order()).isPositive();
		}

		@Test
		void loginInBetweenKeepsTheEntries() {
			openForm("/checkout/account");
			browser.fill("#quantity", "3");
			browser.click("#order button");
			browser.fill("#username", "operator");
			browser.fill("#password", PASSWORD);
			browser.click("button");
			browser.see("h1", "This form has expired");
			browser.click("form button");
			int order = placedOrder();
			assertThat(browser.text("#article")).startsWith("3 ");
			assertThat(orders()).containsExactly(order);
		}

		@Test
		void correctedFormIsAccepted() {
			openForm("/checkout");
			browser.fill("#quantity", "0");
			browser.click("#order button");
			browser.see("em");
			assertThat(browser.value("#userId")).isEqualTo(CheckoutTests.this.customer);
			browser.fill("#quantity", "1");
			assertThat(orders()).isEmpty();
			int order = order();
			assertThat(orders()).containsExactly(order);
		}

	}

	/**
	 * Turbo fetches responses, follows redirects and restores pages by itself. The
	 * checkout knows nothing of it.
	 */
	@Nested
	class WithTurbo {

		private static String turbo;

		private static FaultyProxy network;

		@BeforeAll
		static void readTurbo() throws IOException {
			turbo = new PathMatchingResourcePatternResolver()
				.getResources("classpath:META-INF/resources/webjars/hotwired__turbo/*/dist/turbo.es2017-umd.js")[0]
				.getContentAsString(StandardCharsets.UTF_8);
			network = new FaultyProxy("localhost", shop.port());
		}

		@AfterAll
		static void closeNetwork() {
			network.close();
		}

		@BeforeEach
		void enableScripts() {
			browser.scripts(true);
		}

		@Test
		void twoSubmissionsAtOnceOrderOnce() {
			openForm("/checkout");
			// The second one aborts the first one.
			browser.run("const form = document.getElementById('order'); form.requestSubmit(); form.requestSubmit()");
			int order = placedOrder();
			assertThat(orders()).containsExactly(order);
		}

		@Test
		void aLostResponseIsRepeatedAlsoFromTheCacheOfPages() {
			openForm("/checkout");
			Object token = token();
			network.freezeReplies();
			browser.click("#order button");
			browser.await("the order", () -> orders().size() == 1);
			browser.run("Turbo.navigator.stop()");
			network.thawReplies();
			browser.click("p a");
			browser.await("the other form", () -> !token.equals(token()));
			browser.back();
			browser.await("the form", () -> token.equals(token()));
			assertThat(browser.value("#userId")).isEqualTo(CheckoutTests.this.customer);
			assertThat(orders()).containsExactly(order());
		}

		@Test
		void backAndAgainIsAnotherOrder() {
			openForm("/checkout");
			Object token = token();
			int first = order();
			browser.back();
			browser.fill("#userId", CheckoutTests.this.customer);
			assertThat(token()).isNotEqualTo(token);
			int second = order();
			assertThat(orders()).containsExactly(first, second);
		}

		@Test
		void aFormOfAnotherAddressKeepsItsEntriesWhenItHasExpired() {
			openForm("/checkout/account");
			browser.fill("#quantity", "5");
			// There, its token is unknown.
			browser.run("document.getElementById('order').action = '/checkout'");
			browser.click("#order button");
			browser.see("h1", "This form has expired");
			assertThat(browser.address()).isEqualTo(url("/checkout/account"));
			assertThat(orders()).isEmpty();
			browser.click("form button");
			int order = placedOrder();
			assertThat(browser.text("#article")).startsWith("5 ");
			assertThat(orders()).containsExactly(order);
		}

		@Test
		void aRefusalIsShownOutsideOfAFrame() {
			openForm("/checkout/account");
			putIntoFrame("");
			browser.click("#order button");
			browser.see("turbo-frame", "Content missing");
			openForm("/checkout/account");
			putIntoFrame("form.dataset.turboFrame = '_top'");
			browser.click("#order button");
			browser.see("h1", "This form has expired");
			assertThat(orders()).isEmpty();
		}

		private static void putIntoFrame(String more) {
			browser.run("""
					const form = document.getElementById("order");
					const frame = document.createElement("turbo-frame");
					frame.id = "frame";
					document.body.append(frame);
					frame.append(form);
					form.action = "/checkout";
					""" + more);
		}

		@Test
		void refusedFormIsShownAndCorrected() {
			openForm("/checkout");
			browser.fill("#quantity", "0");
			browser.click("#order button");
			browser.see("em");
			browser.fill("#quantity", "1");
			int order = order();
			assertThat(orders()).containsExactly(order);
		}

		private void openForm(String path) {
			browser.open(url(path));
			browser.run(turbo + "\n");
			browser.fill("#userId", CheckoutTests.this.customer);
		}

		private static int order() {
			browser.click("#order button");
			return placedOrder();
		}

		private static int placedOrder() {
			int order = CheckoutTests.placedOrder();
			assertThat(browser.run("return typeof Turbo")).as("no other page was loaded").isEqualTo("object");
			return order;
		}

		private static Object token() {
			return browser.run("return document.querySelector('[name=_idempotentToken]')?.value");
		}

		private static String url(String path) {
			return "http://localhost:" + network.port() + path;
		}

	}

	private void openForm(String path) {
		browser.open(url(path));
		browser.fill("#userId", this.customer);
	}

	private static int order() {
		browser.click("#order button");
		return placedOrder();
	}

	private static int placedOrder() {
		return Integer.parseInt(browser.text("#id"));
	}

	private List<Integer> orders() {
		return shop.orderIdsOf(this.customer);
	}

	/**
	 * Lets all tokens expire that have been issued so far.
	 */
	private static void forgetTokens() {
		try (RedisConnection redis = node.getBean(RedisConnectionFactory.class).getConnection()) {
			redis.serverCommands().flushDb();
		}
	}

	private static String url(String path) {
		return shop.url(path);
	}

}
