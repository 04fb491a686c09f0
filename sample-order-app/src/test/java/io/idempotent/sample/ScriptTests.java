package io.idempotent.sample;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpServer;
import io.idempotent.browser.ScriptPages;
import io.idempotent.browser.ScriptSecurity;
import io.idempotent.submission.IdempotencyGate;
import io.idempotent.testing.FaultyProxy;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.openqa.selenium.Keys;

import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/**
 * The script in a browser, whose network fails.
 */
@Tag("slow")
class ScriptTests {

	private static final String PASSWORD = "not-generated";

	@TempDir
	private static Path directory;

	private static ConfigurableApplicationContext shop;

	private static ScriptPages pages;

	private static FaultyProxy network;

	private static Browser browser;

	@BeforeAll
	static void startShopAndBrowser() {
		assumeTrue(Browser.isInstalled(),
				"Chromium is not installed, so the script is not tested: apt-get install chromium chromium-driver");
		shop = startShop("--spring.security.user.password=" + PASSWORD);
		pages = shop.getBean(ScriptPages.class);
		network = new FaultyProxy("localhost", port());
		browser = Browser.start(directory.resolve("profile"));
	}

	@AfterAll
	static void stop() {
		if (browser != null) {
			browser.close();
			network.close();
			shop.close();
		}
	}

	@AfterEach
	void nothingIsLeft() {
		network.heal();
		network.thaw();
		browser.leavePages();
		// Flash attributes of pages that were not opened would be those of the next test.
		browser.forgetCookies();
		pages.forget();
		assertThat(browser.complaints()).isEmpty();
	}

	@Nested
	class OfAForm {

		@Test
		void isSentOnceByADoubleClick() {
			pages.holdOrders();
			open("");
			browser.click("#send");
			assertThat(browser.run("return document.getElementById('send').disabled && form.ariaBusy"))
				.isEqualTo("true");
			browser.run("form.requestSubmit()");
			pages.answerOrders();
			browser.see("h1", "Bought: tea via send in 2 lines");
			assertThat(pages.takeEffects()).containsExactly("tea");
		}

		@Test
		void runsNoRedirect() {
			open("action=/script/open");
			browser.fill("#item", "javascript:void(document.title='run')");
			browser.click("#send");
			browser.await("the response", () -> seen().equals(List.of("204")));
			assertThat(browser.run("return document.title")).isEqualTo("Form");
		}

		@Test
		void isSentAgainIfItsResponseIsLost() {
			open("token=" + token());
			loseResponse("/script/orders");
			browser.see("h1", "Bought: tea via send in 2 lines");
			assertThat(pages.takeEffects()).containsExactly("tea");
		}

		@Test
		void waitsForAServerThatIsAway() {
			open("hold=true");
			network.partition();
			browser.click("#send");
			browser.await("an attempt", () -> attempts("/token") > 1);
			network.heal();
			browser.await("the response", () -> seen().equals(List.of("204")));
			assertThat(pages.takeEffects()).containsExactly("tea");
		}

		@Test
		void waitsForTheFirstResponseAfterAReload() {
			pages.holdOrders();
			open("");
			browser.click("#send");
			awaitEffect();
			browser.reload();
			browser.run(
					"document.addEventListener('idempotent:response', (event) => sessionStorage.replay = event.detail.replayed)");
			browser.click("#send");
			browser.await("a submission that waits", () -> shop.getBean(IdempotencyGate.class).status().waiting() == 1);
			pages.answerOrders();
			browser.see("h1", "Bought: tea");
			assertThat(pages.takeEffects()).containsExactly("tea");
			assertThat(browser.run("return sessionStorage.replay")).isEqualTo("true");
		}

		@Test
		void isReplayedUntilItsEntriesChange() {
			open("hold=true");
			submit("204");
			submit("204", "204 replayed");
			browser.fill("#item", "coffee");
			submit("204", "204 replayed", "204");
			assertThat(pages.takeEffects()).containsExactly("tea", "coffee");
			assertThat(attempts("/token")).isEqualTo(2);
		}

		@Test
		void isAnotherOperationAfterAReset() {
			open("hold=true");
			submit("204");
			browser.run("Idempotent.reset(form)");
			submit("204", "204");
			assertThat(pages.takeEffects()).containsExactly("tea", "tea");
		}

		@Test
		void isReplayedAfterTheBackButton() {
			open("");
			browser.click("#send");
			browser.see("h1", "Bought: tea");
			browser.back();
			assertThat(browser.run("return performance.getEntriesByType('navigation')[0].type")).isIn("navigate",
					"back_forward");
			browser.click("#send");
			browser.see("h1", "Bought:");
			assertThat(pages.takeEffects()).containsExactly("tea");
		}

		@Test
		void sharesNoTokenWithAnotherThatHasAFieldNamedId() {
			pages.holdOrders();
			open("hold=true");
			browser.run("""
					form.insertAdjacentHTML("beforeend", "<input type='hidden' name='id' value='1'>");
					window.other = form.cloneNode(true);
					other.setAttribute("id", "other");
					document.body.append(other);
					other.querySelector("#item").value = "coffee";
					window.first = Idempotent.submit(form);
					""");
			awaitEffect();
			browser.run("window.second = Idempotent.submit(other)");
			pages.answerOrders();
			assertThat(browser.run("return Promise.all([first, second])"
					+ ".then((responses) => responses.map((response) => response.status + ' ' + Idempotent.isReplay(response)))"))
				.isEqualTo(List.of("204 false", "204 false"));
			assertThat(pages.takeEffects()).containsExactly("tea", "coffee");
		}

		@Test
		void isSentOnceWithFieldsNamedAsMembers() {
			open("hold=true");
			addFields("elements", "dispatchEvent", "querySelector", "action", "method", "submit", "id", "enctype",
					"target", "reset", "name", "addEventListener", "getAttribute", "setAttribute", "removeAttribute",
					"hasAttribute", "matches", "appendChild", "dataset", "requestSubmit", "ariaBusy");
			submit("204");
			browser.fill("#item", "coffee");
			submit("204", "204");
			browser.run("Idempotent.reset(form)");
			submit("204", "204", "204");
			assertThat(pages.takeEffects()).containsExactly("tea", "coffee", "coffee");
		}

		@Test
		void isSentOnceBesideElementsNamedAsMembers() {
			String images = Stream
				.of("currentScript", "baseURI", "querySelector", "cookie", "forms", "createElement", "activeElement",
						"body", "head", "documentElement", "addEventListener", "dispatchEvent", "Idempotent",
						"location", "fetch", "performance", "sessionStorage", "crypto")
				.map("<img id='%1$s' name='%1$s' data-token-field='item' data-token-path='/script/json'>"::formatted)
				.collect(Collectors.joining());
			open("markup=" + URLEncoder.encode(images, StandardCharsets.UTF_8));
			browser.run("send.click()");
			browser.await("the page", () -> browser.address().endsWith("/script/done"));
			assertThat(pages.takeEffects()).containsExactly("tea");
		}

		@Test
		void takesNoCsrfTokenFromTheContentOfAPage() {
			String markup = "<meta name='_csrf_header' content='Idempotent-Token'><meta name='_csrf' content='planted'>";
			open("hold=true&markup=" + URLEncoder.encode(markup, StandardCharsets.UTF_8));
			submit("204");
			assertThat(pages.takeEffects()).containsExactly("tea");
		}

		@ParameterizedTest
		@CsvSource({ "true, ''", "false, ?sent" })
		void isReplayedAfterBackWhereThePageHasItsAddress(boolean script, String query) {
			browser.open(url("/script/shared?script=" + script + "&query=" + query));
			browser.click("#send");
			browser.see("h1", "Bought: tea");
			browser.back();
			browser.click("#send");
			browser.see("h1", "Bought:");
			assertThat(pages.takeEffects()).containsExactly("tea");
		}

		@Test
		void isShownByTheBrowserWithFieldsNamedAsMembers() {
			open("action=/script/page");
			addFields("requestSubmit", "dispatchEvent", "elements", "submit", "querySelector");
			browser.click("#send");
			browser.see("h1", "Page: tea, 10");
			assertThat(pages.takeEffects()).containsExactly("tea");
		}

		private void addFields(String... names) {
			browser.run("""
					arguments[0].forEach((name) => document.getElementById("item")
						.insertAdjacentHTML("afterend", `<input type="hidden" name="${name}" value="1">`));
					""", List.of(names));
		}

		@Test
		void hasATokenOfItsOwnInEachTab() {
			open("hold=true");
			String first = url("/script/form?hold=true");
			browser.openTab(first);
			submit("204");
			browser.closeTab();
			submit("204");
			assertThat(pages.takeEffects()).containsExactly("tea", "tea");
		}

		@Test
		void getsANewTokenForOneThatIsUnknown() {
			open("hold=true&token=expired");
			submit("204");
			assertThat(attempts("/token")).isEqualTo(1);
			assertThat(pages.takeEffects()).containsExactly("tea");
		}

		@Test
		void getsNoNewTokenByItselfIfAnAttemptIsInDoubt() {
			open("hold=true&token=expired");
			network.partition();
			browser.click("#send");
			browser.await("an attempt", () -> attempts("/script/orders") > 1);
			network.heal();
			browser.await("the refusal", () -> seen().equals(List.of("409")));
			assertThat(attempts("/token")).isZero();
			submit("409", "204");
			assertThat(pages.takeEffects()).containsExactly("tea");
		}

		@Test
		void keepsTheTokenThatTheServerRendered() {
			open("hold=true&token=" + token());
			submit("204");
			assertThat(attempts("/token")).isZero();
			assertThat(pages.takeEffects()).containsExactly("tea");
		}

		@Test
		void keepsTheBrowsersPageForAPage() {
			open("action=/script/page");
			browser.click("#send");
			browser.see("h1", "Page: tea, 10");
			assertThat(browser.address()).endsWith("/script/page");
			assertThat(pages.calls()).isEqualTo(1);
			assertThat(pages.takeEffects()).containsExactly("tea");
		}

		@Test
		void showsErrorsAndCanBeCorrected() {
			open("action=/script/page");
			browser.fill("#item", "bad");
			browser.click("#send");
			browser.see("h1", "Wrong");
			browser.back();
			browser.fill("#item", "good");
			browser.click("#send");
			browser.see("h1", "Page: good");
			assertThat(pages.takeEffects()).containsExactly("good");
		}

		@Test
		void carriesFiles() throws IOException {
			Path file = Files.writeString(directory.resolve("order.txt"), "a pound of tea");
			open("action=/script/upload&enctype=multipart/form-data&token=" + token());
			browser.see("#file").sendKeys(file.toAbsolutePath().toString());
			loseResponse("/script/upload");
			browser.see("h1", "Uploaded: order.txt");
			assertThat(pages.takeEffects()).containsExactly("a pound of tea");
		}

		@Test
		void isRepeatedWhileTheServerIsOverloaded() {
			open("hold=true&action=/script/overloaded");
			submit("200");
			assertThat(pages.calls()).isEqualTo(3);
			assertThat(pages.takeEffects()).containsExactly("tea");
		}

		@Test
		void isNotRepeatedForAnotherRefusal() {
			open("hold=true&action=/script/conflict");
			submit("409");
			assertThat(pages.calls()).isEqualTo(1);
		}

		@Test
		void endsWithAnErrorAfterItsTime() {
			open("hold=true&patience=1");
			network.partition();
			browser.click("#send");
			browser.await("the error", () -> seen().equals(List.of("error")));
			network.heal();
			assertThat(browser.run("return form.ariaBusy")).isNull();
			submit("error", "204");
			assertThat(pages.takeEffects()).containsExactly("tea");
		}

		@Test
		void returnsTheFocusToItsButton() {
			open("hold=true");
			browser.tabTo("#send");
			browser.press(Keys.ENTER);
			browser.await("the response", () -> seen().equals(List.of("204")));
			assertThat(browser.run("return document.activeElement.id")).isEqualTo("send");
		}

		@ParameterizedTest
		@ValueSource(strings = { "secured", "spa" })
		void carriesTheCsrfToken(String kind) {
			browser.open(url("/script/" + kind + "/form?hold=true&meta=" + kind.equals("secured") + "&action=/script/"
					+ kind + "/orders"));
			submit("204");
			assertThat(pages.takeEffects()).containsExactly("tea");
		}

	}

	@Nested
	class OtherOrigins {

		@Test
		void getNoTokenFromAForm() {
			open("token=secret&action=http://localhost:" + port() + "/script/echo");
			browser.click("#send");
			browser.see("body", "without a token");
		}

		@Test
		void getNoTokenFromAButtonThatSendsAnAddress() {
			open("token=secret&action=/script/shown");
			browser.run("send.formMethod = 'get'");
			browser.click("#send");
			browser.await("the address", () -> browser.address().contains("item=tea"));
			assertThat(browser.address()).doesNotContain("secret");
		}

		@Test
		void getNoTokenFromAProgram() {
			open("");
			assertThat(browser.run("return Idempotent.submit(form, { url: 'http://localhost:" + port()
					+ "/script/echo' }).then(() => 'sent', (error) => error.message)"))
				.asString()
				.startsWith("Tokens are never sent to another origin");
		}

	}

	/**
	 * To which the application redirects, and which accept every request.
	 */
	@Nested
	class OtherOriginsAfterARedirect {

		private static final List<Headers> RECEIVED = new CopyOnWriteArrayList<>();

		private static HttpServer other;

		@BeforeAll
		static void startServer() throws IOException {
			other = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
			other.createContext("/", (exchange) -> {
				RECEIVED.add(exchange.getRequestHeaders());
				exchange.getResponseHeaders().set("Access-Control-Allow-Origin", "*");
				exchange.getResponseHeaders().set("Access-Control-Allow-Headers", "*");
				exchange.sendResponseHeaders(204, -1);
				exchange.close();
			});
			other.start();
		}

		@AfterAll
		static void stopServer() {
			other.stop(0);
		}

		@BeforeEach
		void forget() {
			RECEIVED.clear();
		}

		@Test
		void getNoRequestWithACsrfToken() {
			browser.open(url("/script/secured/form?patience=1"));
			assertThat(redirectAway()).isEqualTo("TypeError");
			assertThat(RECEIVED).isEmpty();
			assertThat(browser.complaints()).isNotEmpty()
				.allMatch((message) -> message.contains("Unsafe attempt to load URL " + address()));
		}

		@Test
		void getOneWithoutACsrfToken() {
			open("patience=1");
			assertThat(redirectAway()).isEqualTo(204L);
			// After the preflight.
			assertThat(RECEIVED).hasSize(2).noneMatch((headers) -> headers.containsKey("X-CSRF-TOKEN"));
			assertThat(RECEIVED.get(1).getFirst("Idempotency-Key")).isEqualTo("mine");
		}

		@Test
		void getNoneWhereTheTargetIsTheOwnOrigin() {
			browser.open(url("/script/secured/form?patience=1"));
			assertThat(redirect(url("/script/echo"))).isEqualTo(200L);
			assertThat(RECEIVED).isEmpty();
		}

		private Object redirectAway() {
			return redirect(address());
		}

		private static String address() {
			return "http://localhost:" + other.getAddress().getPort() + "/";
		}

		private Object redirect(String to) {
			return browser.run("return Idempotent.fetch('/script/away?to=' + encodeURIComponent(arguments[0]), "
					+ "{ method: 'POST', key: 'mine', body: '{}', headers: { 'Content-Type': 'application/json' } })"
					+ ".then((response) => response.status, (error) => error.name)", to);
		}

	}

	/**
	 * Whose refusals have other codes.
	 */
	@Nested
	class OfAFormUnderTheProfileStripe {

		private static ConfigurableApplicationContext stripe;

		private static ScriptPages underStripe;

		@BeforeAll
		static void startShopOfStripe() {
			stripe = startShop("--idempotent.web.profile=stripe", "--idempotent.defaults.when-in-progress=reject");
			underStripe = stripe.getBean(ScriptPages.class);
		}

		@AfterAll
		static void stopShop() {
			stripe.close();
		}

		@AfterEach
		void nothingIsLeftUnderStripe() {
			browser.leavePages();
			underStripe.forget();
		}

		@Test
		void getsANewTokenForOneThatIsUnknown() {
			openUnderStripe("hold=true&token=expired");
			submit("204");
			assertThat(attempts("/token")).isEqualTo(1);
			assertThat(underStripe.takeEffects()).containsExactly("tea");
		}

		@Test
		void waitsForTheFirstResponse() {
			underStripe.holdOrders();
			openUnderStripe("hold=true");
			browser.click("#send");
			browser.await("the effect", underStripe::hasEffects);
			browser.reload();
			browser.click("#send");
			browser.await("a refusal", () -> attempts("/script/orders") > 0);
			underStripe.answerOrders();
			browser.await("the response", () -> seen().equals(List.of("204 replayed")));
			assertThat(underStripe.takeEffects()).containsExactly("tea");
		}

		private static void openUnderStripe(String query) {
			browser.open(Shop.of(stripe).url("/script/form?" + query));
		}

	}

	@Nested
	class OfJson {

		private static final String POST = "return Idempotent.fetch('/script/json', { method: 'POST', headers: "
				+ "{ 'Content-Type': 'application/json' }, body: '{\"item\": \"tea\"}', key: arguments[0] })"
				+ ".then(async (response) => (await response.json()).key + Idempotent.isReplay(response))";

		@Test
		void keepsItsKeyOverAttempts() {
			open("");
			loseResponse("/script/json",
					() -> browser.run("(function() {" + POST + "})().then((text) => window.received = text)"));
			browser.await("the response", () -> browser.run("return window.received") != null);
			assertThat(browser.run("return window.received")).asString()
				.matches("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}true");
			assertThat(pages.takeEffects()).containsExactly("tea");
		}

		@Test
		void hasARandomKeyOnInsecureOriginsToo() {
			open("");
			browser.run("crypto.randomUUID = undefined");
			assertThat(browser.run(POST)).asString().matches("[0-9a-f]{32}false");
		}

		@Test
		void isAReplayForAKeyThatIsPassedAgain() {
			open("");
			assertThat(browser.run(POST, "mine")).isEqualTo("minefalse");
			assertThat(browser.run(POST, "mine")).isEqualTo("minetrue");
			assertThat(pages.takeEffects()).containsExactly("tea");
		}

	}

	@Nested
	class OfTheShop {

		@Test
		void isOneOrderWithoutInlineScripts() {
			browser.open(url("/"));
			browser.await("the number of orders", () -> !browser.text("#count").equals("–"));
			String before = browser.text("#count");
			browser.click("#order button");
			browser.see("#responses pre", "201");
			browser.click("#order button");
			browser.see("#responses .again", "201");
			assertThat(browser.text("#count")).isEqualTo(String.valueOf(Integer.parseInt(before) + 1));
			browser.size(760, 1010);
			browser.screenshot("shop");
			browser.click("#fresh");
			browser.click("#order button");
			browser.await("a second order",
					() -> browser.text("#count").equals(String.valueOf(Integer.parseInt(before) + 2)));
		}

	}

	/**
	 * Whose CSRF token is in a cookie here.
	 */
	@Nested
	class OfTheOperationsPage {

		@Test
		void changesWhatAnOperatorConfirms() {
			browser.open(url("/idempotent"));
			browser.fill("#username", "operator");
			browser.fill("#password", PASSWORD);
			browser.press(Keys.ENTER);
			browser.see("nav a");
			browser.open(url("/idempotent#/locks"));
			browser.click("#switch-jdbc");
			browser.fill("#reason", "a test");
			browser.click("dialog [type=submit]");
			browser.see("#switch-redisson");
		}

	}

	private static ConfigurableApplicationContext startShop(String... settings) {
		return new SpringApplication(SampleOrderApplication.class, ScriptPages.class, ScriptSecurity.class)
			.run(Stream.concat(Stream.of("--server.port=0"), Stream.of(settings)).toArray(String[]::new));
	}

	/**
	 * With the script, which the browser may have asked for on a connection that an
	 * earlier test has cut.
	 */
	private static void open(String query) {
		browser.await("the script", () -> {
			browser.open(url("/script/form?" + query));
			return (Boolean) browser.run("return performance.getEntriesByType('resource').some((entry) =>"
					+ " entry.name.endsWith('/idempotent.js') && entry.responseStatus > 0)");
		});
	}

	private static String url(String path) {
		return "http://localhost:" + network.port() + path;
	}

	private static int port() {
		return Shop.of(shop).port();
	}

	private static String token() {
		return new Shop(port()).openForm();
	}

	/**
	 * Submits the form of a page that shows nothing, and waits for the responses so far.
	 */
	private static void submit(String... responses) {
		browser.click("#send");
		browser.await("the responses " + List.of(responses), () -> seen().equals(List.of(responses)));
	}

	private static Object seen() {
		return browser.run("return seen");
	}

	private static void awaitEffect() {
		browser.await("the effect", () -> pages.hasEffects());
	}

	/**
	 * Lets the operation take effect, and loses its response, whatever the browser does.
	 */
	private static void loseResponse(String path) {
		loseResponse(path, () -> browser.click("#send"));
	}

	private static void loseResponse(String path, Runnable send) {
		network.freezeReplies();
		send.run();
		awaitEffect();
		network.partition();
		network.thawReplies();
		browser.await("another attempt", () -> attempts(path) > 1);
		network.heal();
	}

	private static long attempts(String path) {
		return (Long) browser.run("return performance.getEntriesByType('resource')"
				+ ".filter((entry) => new URL(entry.name).pathname === arguments[0]).length", path);
	}

}
