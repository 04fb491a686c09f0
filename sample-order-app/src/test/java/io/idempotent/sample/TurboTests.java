package io.idempotent.sample;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;

import io.idempotent.testing.FaultyProxy;
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
import org.springframework.core.io.support.PathMatchingResourcePatternResolver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/**
 * What customers do with the checkout where Turbo sends the forms: it fetches responses,
 * follows redirects and restores pages by itself. The checkout knows nothing of it.
 */
@Tag("slow")
class TurboTests {

	@TempDir
	private static Path directory;

	private static ConfigurableApplicationContext node;

	private static FaultyProxy network;

	private static Browser browser;

	private static String turbo;

	private String customer;

	@BeforeAll
	static void startShopAndBrowser() throws IOException {
		assumeTrue(Browser.isInstalled(),
				"Chromium is not installed, so Turbo is not tested: apt-get install chromium chromium-driver");
		turbo = new PathMatchingResourcePatternResolver()
			.getResources("classpath:META-INF/resources/webjars/hotwired__turbo/*/dist/turbo.es2017-umd.js")[0]
			.getContentAsString(StandardCharsets.UTF_8);
		node = new SpringApplication(SampleOrderApplication.class).run("--server.port=0",
				"--spring.datasource.url=jdbc:h2:mem:turbo", "--spring.security.user.password=not-generated");
		network = new FaultyProxy("localhost", port());
		browser = Browser.start(directory.resolve("profile"));
	}

	@AfterAll
	static void stop() {
		if (browser != null) {
			browser.close();
			network.close();
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
		assertThat(browser.value("#userId")).isEqualTo(this.customer);
		assertThat(orders()).containsExactly(order());
	}

	@Test
	void backAndAgainIsAnotherOrder() {
		openForm("/checkout");
		Object token = token();
		int first = order();
		browser.back();
		browser.fill("#userId", this.customer);
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
	void correctedFormIsAccepted() {
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
		browser.fill("#userId", this.customer);
	}

	private static int order() {
		browser.click("#order button");
		return placedOrder();
	}

	private static int placedOrder() {
		int order = Integer.parseInt(browser.text("#id"));
		assertThat(browser.run("return typeof Turbo")).as("no other page was loaded").isEqualTo("object");
		return order;
	}

	private static Object token() {
		return browser.run("return document.querySelector('[name=_idempotentToken]')?.value");
	}

	private List<Integer> orders() {
		return new Shop(port()).orderIdsOf(this.customer);
	}

	private static String url(String path) {
		return "http://localhost:" + network.port() + path;
	}

	private static int port() {
		return node.getEnvironment().getRequiredProperty("local.server.port", Integer.class);
	}

}
