package io.idempotent.sample;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.io.TempDir;

import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/**
 * What customers do with the checkout, in a browser that runs no scripts.
 */
@Tag("slow")
class CheckoutTests {

	private static final String PASSWORD = "not-generated";

	@TempDir
	private static Path directory;

	private static ConfigurableApplicationContext node;

	private static Browser browser;

	private String customer;

	@BeforeAll
	static void startShopAndBrowser() {
		assumeTrue(Browser.isInstalled(),
				"Chromium is not installed, so the checkout is not tested: apt-get install chromium chromium-driver");
		node = new SpringApplication(SampleOrderApplication.class).run("--server.port=0",
				"--spring.datasource.url=jdbc:h2:mem:checkout", "--spring.security.user.password=" + PASSWORD);
		browser = Browser.start(directory.resolve("profile"));
		browser.size(1200, 900);
		browser.disableScripts();
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
		assertThat(browser.value("#userId")).isEqualTo(this.customer);
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
		browser.screenshot("form-key-reused");
		browser.click("form button");
		int second = placedOrder();
		assertThat(browser.text("#article")).startsWith("7 ");
		assertThat(orders()).containsExactly(first, second);
	}

	@Test
	void twoTabsAreTwoOrders() {
		openForm("/checkout");
		browser.openTab(url("/checkout"));
		browser.fill("#userId", this.customer);
		int second = order();
		browser.closeTab();
		browser.disableScripts();
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
		browser.screenshot("form-expired");
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
		browser.fill("#userId", this.customer);
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
		assertThat(browser.value("#userId")).isEqualTo(this.customer);
		browser.fill("#quantity", "1");
		assertThat(orders()).isEmpty();
		int order = order();
		assertThat(orders()).containsExactly(order);
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
		return new Shop(port()).orderIdsOf(this.customer);
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
		return "http://localhost:" + port() + path;
	}

	private static int port() {
		return node.getEnvironment().getRequiredProperty("local.server.port", Integer.class);
	}

}
