package io.idempotent.webmvc;

import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;

import io.idempotent.ApiIdempotent;
import io.idempotent.IdempotencyContext;
import io.idempotent.Idempotent;
import io.idempotent.KeySource;
import io.idempotent.WhenCompleted;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.context.annotation.Import;
import org.springframework.stereotype.Service;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.servlet.ModelAndView;
import org.springframework.web.servlet.mvc.method.annotation.SseEmitter;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Annotations of classes, conditions and messages, over HTTP. Those of one's own are in
 * MigrationTests of tests/http.
 */
class AnnotationAttributesTests {

	private static final AtomicInteger RUNS = new AtomicInteger();

	@RegisterExtension
	static final TestServer server = TestServer.of(Whole.class,
			"spring.messages.basename=io.idempotent.webmvc.order-messages",
			"idempotent.operations[Conditional.byProperty].message=By property");

	@BeforeEach
	void reset() {
		RUNS.set(0);
	}

	private static HttpResponse<byte[]> send(HttpRequest.Builder request) {
		return server.send(request);
	}

	private static HttpRequest.Builder post(String path, String key) {
		return server.post(path, "{}").header("Idempotency-Key", key);
	}

	@Nested
	class OnClasses {

		@Test
		void aSafeRequestIsNotAnOperation() {
			assertThat(TestServer.text(send(server.request("/whole/list")))).isEqualTo("list");
			assertThat(send(server.request("/whole/events")).statusCode()).isEqualTo(200);
		}

		@Test
		void aMappingOfAllMethodsIsAnOperationForUnsafeRequests() {
			assertThat(TestServer.text(send(server.request("/whole/any")))).isEqualTo("any");
			HttpRequest.Builder put = server.request("/whole/any").PUT(BodyPublishers.noBody());
			assertThat(TestServer.code(send(put))).isEqualTo("key-missing");
		}

		@Test
		void theOperationNameIncludesTheClassName() {
			assertThat(TestServer.text(send(post("/whole/create", TestServer.newKey())))).isEqualTo("orders.create 1");
		}

	}

	@Nested
	class Conditions {

		@Test
		void itsKeyIsRequired() {
			assertThat(TestServer.code(send(server.post("/conditional/header/200", "{}")))).isEqualTo("key-missing");
			assertThat(TestServer.code(send(post("/conditional/header/200", "a b")))).isEqualTo("key-malformed");
			assertThat(TestServer.code(send(server.post("/conditional/token/200", "{}")))).isEqualTo("key-missing");
			assertThat(RUNS).hasValue(0);
		}

		@Test
		void anyOtherCallRunsAsIfNotAnnotated() {
			for (String key : new String[] { "one", "one", "not valid" }) {
				HttpResponse<byte[]> response = send(post("/conditional/header/100", key));
				assertThat(response.statusCode()).isEqualTo(200);
				assertThat(TestServer.isReplayed(response)).isFalse();
			}
			assertThat(TestServer.text(send(server.post("/conditional/header/100", "{}")))).isEqualTo("4, attempt 0");
		}

		@Test
		void aTokenIsNotUsedUp() {
			String token = server.token();
			for (int i = 0; i < 2; i++) {
				assertThat(
						send(server.post("/conditional/token/1", "{}").header("Idempotent-Token", token)).statusCode())
					.isEqualTo(200);
			}
			HttpRequest.Builder met = server.post("/conditional/token/200", "{}").header("Idempotent-Token", token);
			assertThat(send(met).statusCode()).isEqualTo(200);
			assertThat(RUNS).hasValue(3);
			assertThat(TestServer.isReplayed(send(met))).isTrue();
			assertThat(RUNS).hasValue(3);
		}

		@Test
		void aConditionWithoutADecisionRunsNothing() {
			assertThat(send(server.post("/conditional/undecided", "{}")).statusCode()).isEqualTo(500);
			assertThat(RUNS).hasValue(0);
		}

		@ParameterizedTest
		@ValueSource(strings = { "/conditional/forward", "/conditional/forward-later" })
		void anOperationThatIsForwardedToIsProtectedByItsOwnKey(String path) {
			HttpRequest.Builder unmet = post(path + "?amount=1", TestServer.newKey());
			assertThat(TestServer.text(send(unmet))).isEqualTo("1, attempt 1");
			HttpResponse<byte[]> repeat = send(unmet);
			assertThat(TestServer.text(repeat)).isEqualTo("1, attempt 1");
			assertThat(TestServer.isReplayed(repeat)).isTrue();
			assertThat(TestServer.code(send(server.post(path + "?amount=1", "{}")))).isEqualTo("key-missing");
		}

		@Test
		void anOperationThatIsForwardedToIsAPartOfTheFirstOtherwise() {
			HttpRequest.Builder met = post("/conditional/forward?amount=200", TestServer.newKey());
			assertThat(TestServer.text(send(met))).isEqualTo("1, attempt 1");
			assertThat(TestServer.isReplayed(send(met))).isTrue();
			assertThat(RUNS).hasValue(1);
		}

		@Test
		void areNotMetByAnAbsentValueUnlessTheyCheckForIt() {
			for (String path : new String[] { "/conditional/optional", "/conditional/absent-too" }) {
				String key = TestServer.newKey();
				send(post(path, key));
				assertThat(TestServer.isReplayed(send(post(path, key)))).as(path)
					.isEqualTo(path.endsWith("absent-too"));
			}
		}

	}

	@Nested
	class Messages {

		@Test
		void aLiteralIsTheDetail() {
			assertThat(detailOfDuplicate("/conditional/literal", "en")).isEqualTo("#{T(System)} <i>as it is</i>");
		}

		@Test
		void aCodeInBracesIsLookedUpInTheLanguageOfTheUser() {
			assertThat(detailOfDuplicate("/conditional/code", "en"))
				.isEqualTo("You have ordered this already. It's <b>on its way</b> {0}.");
			assertThat(detailOfDuplicate("/conditional/code", "zh-CN")).isEqualTo("您已下单，请勿重复提交。");
		}

		@Test
		void aPageShowsItEscaped() {
			String page = duplicate("/conditional/code", "en", "text/html");
			assertThat(page).contains("It&#39;s &lt;b&gt;on its way&lt;/b&gt; {0}.").doesNotContain("<b>");
			assertThat(duplicate("/conditional/literal", "en", "text/html"))
				.contains("#{T(System)} &lt;i&gt;as it is&lt;/i&gt;");
		}

		@Test
		void anUnknownCodeLeavesTheDefaultText() {
			assertThat(detailOfDuplicate("/conditional/unknown-code", "en"))
				.isEqualTo("This was submitted before and has been processed. It was not processed again.");
		}

		@Test
		void aPropertySetsItToo() {
			assertThat(detailOfDuplicate("/conditional/by-property", "en")).isEqualTo("By property");
		}

		@Test
		void theMessageOfABeanMethodReachesTheUser() {
			assertThat(detailOfDuplicate("/conditional/nested", "zh-CN")).isEqualTo("您已下单，请勿重复提交。");
		}

		private static String detailOfDuplicate(String path, String language) {
			String problem = duplicate(path, language, "application/json");
			assertThat(problem).contains("\"code\":\"duplicate\"");
			int at = problem.indexOf("\"detail\":\"") + 10;
			return problem.substring(at, problem.indexOf("\",\"code\"", at));
		}

		private static String duplicate(String path, String language, String accept) {
			String key = TestServer.newKey();
			send(post(path, key));
			return TestServer.text(send(post(path, key).header("Accept-Language", language).header("Accept", accept)));
		}

	}

	@RestController
	@RequestMapping("/whole")
	@Import({ Conditional.class, Shipments.class })
	@ApiIdempotent(value = KeySource.HEADER, name = "orders")
	static class Whole {

		@PostMapping("/create")
		String create(IdempotencyContext context) {
			return context.operation() + " " + RUNS.incrementAndGet();
		}

		@GetMapping("/list")
		String list() {
			return "list";
		}

		@GetMapping("/events")
		SseEmitter events() {
			SseEmitter emitter = new SseEmitter();
			emitter.complete();
			return emitter;
		}

		@RequestMapping("/any")
		String any() {
			return "any";
		}

	}

	@RestController
	@RequestMapping("/conditional")
	static class Conditional {

		private final Shipments shipments;

		Conditional(Shipments shipments) {
			this.shipments = shipments;
		}

		@PostMapping("/header/{amount}")
		@ApiIdempotent(value = KeySource.HEADER, condition = "#amount > 100")
		String header(@PathVariable int amount, IdempotencyContext context) {
			return RUNS.incrementAndGet() + ", attempt " + context.attempt();
		}

		@PostMapping("/forward")
		@ApiIdempotent(value = KeySource.HEADER, condition = "#amount > 100")
		ModelAndView forward(@RequestParam int amount) {
			return new ModelAndView("forward:/conditional/header/200");
		}

		@PostMapping("/forward-later")
		@ApiIdempotent(value = KeySource.HEADER, condition = "#amount > 100")
		Callable<ModelAndView> forwardLater(@RequestParam int amount) {
			return () -> new ModelAndView("forward:/conditional/header/200");
		}

		@PostMapping("/token/{amount}")
		@ApiIdempotent(condition = "#amount > 100")
		int token(@PathVariable int amount) {
			return RUNS.incrementAndGet();
		}

		@PostMapping("/optional")
		@ApiIdempotent(value = KeySource.HEADER, condition = "#amount > 100")
		int optional(@RequestParam(required = false) Integer amount) {
			return RUNS.incrementAndGet();
		}

		@PostMapping("/absent-too")
		@ApiIdempotent(value = KeySource.HEADER, condition = "#amount == null or #amount > 100")
		int absentToo(@RequestParam(required = false) Integer amount) {
			return RUNS.incrementAndGet();
		}

		@PostMapping("/undecided")
		@ApiIdempotent(value = KeySource.CONTENT, condition = "#amount")
		int undecided(@RequestParam(defaultValue = "1") int amount) {
			return RUNS.incrementAndGet();
		}

		@PostMapping("/literal")
		@ApiIdempotent(value = KeySource.HEADER, whenCompleted = WhenCompleted.REJECT,
				message = "#{T(System)} <i>as it is</i>")
		void literal() {
		}

		@PostMapping("/code")
		@ApiIdempotent(value = KeySource.HEADER, whenCompleted = WhenCompleted.REJECT, message = "{order.repeated}")
		void code() {
		}

		@PostMapping("/unknown-code")
		@ApiIdempotent(value = KeySource.HEADER, whenCompleted = WhenCompleted.REJECT, message = "{order.absent}")
		void unknownCode() {
		}

		@PostMapping("/by-property")
		@ApiIdempotent(value = KeySource.HEADER, whenCompleted = WhenCompleted.REJECT, message = "By annotation")
		void byProperty() {
		}

		@PostMapping("/nested")
		void nested(@RequestHeader("Idempotency-Key") String key) {
			this.shipments.ship(key);
		}

	}

	@Service
	static class Shipments {

		@Idempotent(key = "#key", whenCompleted = WhenCompleted.REJECT, message = "{order.repeated}")
		void ship(String key) {
		}

	}

}
