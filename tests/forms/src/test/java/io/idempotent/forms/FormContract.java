package io.idempotent.forms;

import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.Base64;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

import io.idempotent.embedded.EmbeddedRedis;
import io.idempotent.webmvc.Caller;
import io.idempotent.webmvc.IdempotencyTokens;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * What holds for every template engine, and for both kinds of tokens.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class FormContract {

	static final List<String> WITH_TOKEN = List.of("create", "query", "multipart", "correct", "edit", "delete",
			"hidden", "relative", "absolute", "session", "same", "params", "several");

	final EmbeddedRedis redis = EmbeddedRedis.start();

	private final String engine;

	private final String[] properties;

	ConfigurableApplicationContext application;

	Site site;

	FormContract(String engine, String... properties) {
		this.engine = engine;
		this.properties = properties;
	}

	@BeforeAll
	void start() {
		this.application = new SpringApplicationBuilder(Application.class).properties(this.properties)
			.run("--spring.data.redis.port=" + this.redis.port());
	}

	@AfterAll
	void stop() {
		if (this.application != null) {
			this.application.close();
		}
		this.redis.close();
	}

	@BeforeEach
	void newUser() {
		this.site = new Site(this.application.getEnvironment().getRequiredProperty("local.server.port", Integer.class));
	}

	IdempotencyTokens tokens() {
		return this.application.getBean(IdempotencyTokens.class);
	}

	String page(String name) {
		HttpResponse<String> response = this.site.get(path(name));
		assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
		return response.body();
	}

	String path(String name) {
		return "/pages/" + this.engine + "/" + name;
	}

	private String orders(Map<String, String> fields) {
		return order(fields).body();
	}

	private HttpResponse<String> order(Map<String, String> fields, String... headers) {
		return this.site.post("/orders", path("one"), fields, headers);
	}

	@Nested
	class Fields {

		@Test
		void onlyFormsOfTokenOperationsHaveOne() {
			String page = page("all");
			assertThat(Site.formIds(page)).filteredOn((id) -> Site.fields(page, id).containsKey(Site.TOKEN))
				.containsExactlyElementsOf(WITH_TOKEN);
			assertThat(Site.formIds(page)).hasSizeGreaterThan(WITH_TOKEN.size() + 5);
		}

		@Test
		void eachFormHasItsOwnToken() {
			String page = page("all");
			assertThat(WITH_TOKEN.stream().map((id) -> Site.fields(page, id).get(Site.TOKEN))).doesNotHaveDuplicates();
		}

		@Test
		void csrfFieldsOfSpringSecurityStay() {
			String page = page("all");
			assertThat(Site.formIds(page)).filteredOn((id) -> Site.fields(page, id).containsKey("_csrf"))
				.containsAll(WITH_TOKEN)
				.contains("search", "header")
				.doesNotContain("get");
		}

		@Test
		void tokenIsForTheOperationOfItsForm() {
			Map<String, String> fields = Site.fields(page("all"), "correct");
			assertThat(orders(fields)).contains("content=\"token-unknown\"");
			assertThat(FormContract.this.site.post("/orders/a%20b", path("all"), fields).body())
				.isEqualTo("corrected a b");
		}

		@Test
		void formsWithAHiddenMethodWork() {
			String page = page("all");
			assertThat(submitted("/orders/7", Site.fields(page, "edit"))).startsWith("edited 7");
			assertThat(submitted("/orders/7", Site.fields(page, "delete"))).startsWith("deleted 7");
			assertThat(submitted("/baskets/7", Site.fields(page, "hidden"))).isEqualTo("emptied 7");
		}

		@Test
		void formOfSeveralOperationsWorksForEach() {
			String page = page("all");
			Map<String, String> one = Site.fields(page, "several");
			one.put("one", "");
			Map<String, String> two = Site.fields(page("all"), "several");
			two.put("two", "");
			assertThat(submitted("/step", one)).isEqualTo("one");
			assertThat(submitted("/step", two)).isEqualTo("two");
		}

		private String submitted(String path, Map<String, String> fields) {
			return FormContract.this.site.post(path, path("all"), fields).body();
		}

		@Test
		void tokenOfAMultipartFormIsFound() {
			Map<String, String> fields = Site.fields(page("all"), "multipart");
			StringBuilder body = new StringBuilder();
			fields.forEach((name, value) -> body
				.append("--b\r\nContent-Disposition: form-data; name=\"" + name + "\"\r\n\r\n" + value + "\r\n"));
			HttpResponse<String> response = FormContract.this.site
				.send(FormContract.this.site.request("/orders?_csrf=" + fields.get("_csrf"))
					.header("Content-Type", "multipart/form-data; boundary=b")
					.POST(BodyPublishers.ofString(body + "--b--\r\n")));
			assertThat(response.body()).startsWith("created");
		}

		@Test
		void tokensOfALoopAreBounded() {
			String page = page("rows");
			Set<String> tokens = new HashSet<>();
			Site.formIds(page).forEach((id) -> tokens.add(Site.fields(page, id).get(Site.TOKEN)));
			assertThat(Site.formIds(page)).hasSize(70);
			assertThat(tokens).hasSize(64).doesNotContainNull();
			assertThat(FormContract.this.site.post("/orders/69", path("rows"), Site.fields(page, "row-69")).body())
				.startsWith("deleted 69");
		}

	}

	@Nested
	class FormsShownAgain {

		@Test
		void withErrorsTheyKeepTheirToken() {
			Map<String, String> first = Site.fields(page("all"), "same");
			first.putAll(Map.of("name", "wrong", "error", "422"));
			HttpResponse<String> shown = same(first);
			assertThat(shown.statusCode()).isEqualTo(422);
			Map<String, String> again = Site.fields(shown.body(), "same");
			assertThat(again).containsEntry(Site.TOKEN, first.get(Site.TOKEN));
			assertThat(tokens(shown.body())).doesNotHaveDuplicates();
			again.put("name", "right");
			assertThat(same(again).statusCode()).isEqualTo(200);
			assertThat(same(first).body()).contains("content=\"key-reused\"", "Send the new entries as well");
		}

		/** The submission counts as completed, and its token as used. */
		@Test
		void withSuccessTheyGetAnother() {
			Map<String, String> first = Site.fields(page("all"), "same");
			first.putAll(Map.of("name", "wrong", "error", "200"));
			Map<String, String> again = Site.fields(same(first).body(), "same");
			assertThat(again.get(Site.TOKEN)).isNotNull().isNotEqualTo(first.get(Site.TOKEN));
		}

		/** Nothing was carried out, which only the application knows. */
		@Test
		void withSuccessASecondClickIsAskedToCheckTheEffect() {
			Map<String, String> fields = Site.fields(page("all"), "same");
			fields.putAll(Map.of("name", "wrong", "error", "200"));
			same(fields);
			HttpResponse<String> second = same(fields);
			assertThat(second.statusCode()).isEqualTo(409);
			assertThat(second.body()).contains("content=\"response-unavailable\"", "check whether it has taken effect")
				.doesNotContain("carried out");
		}

		@Test
		void oneThatExpiresSoonIsReplaced() {
			String old = FormContract.this.tokens().issueTo(Caller.ANONYMOUS, "same-page", Duration.ofMinutes(4));
			Map<String, String> first = Site.fields(page("all"), "same");
			first.putAll(Map.of("name", "wrong", "error", "422", Site.TOKEN, old));
			HttpResponse<String> shown = same(first);
			assertThat(shown.statusCode()).isEqualTo(422);
			assertThat(Site.fields(shown.body(), "same").get(Site.TOKEN)).isNotNull().isNotEqualTo(old);
		}

		private List<String> tokens(String page) {
			return Site.formIds(page)
				.stream()
				.map((id) -> Site.fields(page, id).get(Site.TOKEN))
				.filter(Objects::nonNull)
				.toList();
		}

		private HttpResponse<String> same(Map<String, String> fields) {
			return FormContract.this.site.post(path("all"), path("all"), fields);
		}

	}

	@Nested
	class Caching {

		@Test
		void springSecurityForbidsItAsBefore() {
			assertThat(cacheControl(path("one"))).contains("no-store").doesNotContain("private");
		}

		@Test
		void pageIsNotSharedWhereSpringSecurityWritesNothing() {
			assertThat(cacheControl(path("one") + "?expires=Fri,+01+Jan+2038+00:00:00+GMT")).contains("no-store");
			assertThat(cacheControl(path("one") + "?cache=public,private%3D%22x%22")).isEqualTo("private, no-cache");
		}

		@Test
		void pageIsPrivateWithoutSpringSecurity() {
			assertThat(cacheControl(open("one"))).isEqualTo("private, no-cache");
		}

		@Test
		void sharedCachingIsReplaced() {
			assertThat(cacheControl(open("one") + "?cache=public,max-age=60")).isEqualTo("private, no-cache");
		}

		@Test
		void headersThatOnlySharedCachesReadAreReplaced() {
			for (String cache : List.of("", "&cache=private")) {
				HttpResponse<String> form = FormContract.this.site.get(open("one") + "?cdn=max-age%3D60" + cache);
				assertThat(Site.header(form, "CDN-Cache-Control")).isEqualTo("no-store");
				assertThat(Site.header(form, "Surrogate-Control")).isEqualTo("no-store");
			}
			HttpResponse<String> none = FormContract.this.site.get(open("none") + "?cdn=max-age%3D60");
			assertThat(Site.header(none, "CDN-Cache-Control")).isEqualTo("max-age=60");
			assertThat(Site.header(FormContract.this.site.get(open("one")), "CDN-Cache-Control")).isEmpty();
		}

		@Test
		void strictRulesOfTheApplicationStay() {
			assertThat(cacheControl(open("one") + "?cache=no-store")).isEqualTo("no-store");
			assertThat(cacheControl(open("one") + "?cache=private,max-age=5")).isEqualTo("private,max-age=5");
		}

		@Test
		void pageWithoutTokensIsLeftAlone() {
			assertThat(cacheControl(open("none") + "?cache=public,max-age=60")).isEqualTo("public,max-age=60");
			assertThat(cacheControl(open("none"))).isEmpty();
		}

		private String open(String page) {
			return "/open/" + FormContract.this.engine + "/" + page;
		}

		private String cacheControl(String path) {
			return Site.header(FormContract.this.site.get(path), "Cache-Control");
		}

	}

	@Nested
	class RefusedForms {

		@Test
		void expiredTokenKeepsTheEntries() {
			HttpResponse<String> refused = FormContract.this.site.post("/orders?a=1", path("one"), expired());
			assertThat(refused.statusCode()).isEqualTo(409);
			assertThat(refused.body()).contains("content=\"token-unknown\"", "check first", "Send now",
					"href=\"/shop" + path("one") + "\"");
			Map<String, String> again = Site.fields(refused.body());
			assertThat(again).containsEntry("name", "tea & \"<b>\"").doesNotContainKey("a");
			assertThat(FormContract.this.site.post("/orders?a=1", "/orders", again).body()).startsWith("created")
				.contains("tea & \"<b>\"");
		}

		/** It shows the page at the address of the form. */
		@Test
		void pageForTurboSaysWhereItsFormIsSent() {
			assertThat(FormContract.this.site.post("/orders?a=1&b", path("one"), expired()).body())
				.contains("<form method=\"post\">");
			HttpResponse<String> refused = FormContract.this.site.post("/orders?a=1&b", path("one"), expired(),
					"Accept", "text/vnd.turbo-stream.html, text/html, application/xhtml+xml");
			assertThat(refused.statusCode()).isEqualTo(409);
			assertThat(refused.body()).contains("content=\"token-unknown\"",
					"<form method=\"post\" action=\"/shop/orders?a=1&amp;b\">");
		}

		@Test
		void changedEntriesAreSentOnlyOnRequest() {
			Map<String, String> fields = Site.fields(page("one"), "create");
			fields.put("name", "tea");
			String first = orders(fields);
			fields.put("name", "coffee");
			HttpResponse<String> refused = order(fields);
			assertThat(refused.statusCode()).isEqualTo(422);
			assertThat(refused.body()).contains("content=\"key-reused\"", "Send the new entries as well");
			Map<String, String> again = Site.fields(refused.body());
			assertThat(orders(again)).startsWith("created").contains("coffee").isNotEqualTo(first);
			fields.put("name", "tea");
			assertThat(orders(fields)).isEqualTo(first);
		}

		@Test
		void secretsAreEnteredAgain() {
			Map<String, String> fields = expired();
			fields.put("password", "hunter2");
			fields.put("wish", "peace");
			HttpResponse<String> refused = order(fields);
			assertThat(refused.body()).doesNotContain("hunter2", "peace")
				.contains("<input type=\"password\" name=\"password\" required>",
						"<input type=\"password\" name=\"wish\" required>");
			Map<String, String> again = Site.fields(refused.body());
			again.put("password", "hunter2");
			assertThat(orders(again)).startsWith("created").contains("hunter2");
		}

		@Test
		void entriesAreText() {
			Map<String, String> fields = expired();
			fields.put("\"><script>alert(1)</script>", "'\"><img src=x onerror=alert(1)>");
			assertThat(orders(fields)).doesNotContain("<script", "<img").contains("&lt;script&gt;");
		}

		@Test
		void pageLoadsNothingAndIsNotFramedElsewhere() {
			HttpResponse<String> refused = order(expired());
			assertThat(Site.header(refused, "Content-Security-Policy")).contains("default-src 'none'",
					"frame-ancestors 'self'");
			assertThat(Site.header(refused, "Cache-Control")).isEqualTo("no-store");
		}

		@Test
		void pageMayApplyItsOwnStyle() throws Exception {
			HttpResponse<String> refused = order(expired());
			byte[] style = refused.body()
				.replaceAll("(?s).*<style>(.*)</style>.*", "$1")
				.getBytes(StandardCharsets.UTF_8);
			String hash = Base64.getEncoder().encodeToString(MessageDigest.getInstance("SHA-256").digest(style));
			assertThat(Site.header(refused, "Content-Security-Policy")).contains("style-src 'sha256-" + hash + "'");
		}

		@Test
		void formOfAnotherSiteIsNotSentAgain() {
			String[] origin = { "Origin", "https://example.com" };
			assertThat(order(expired(), "Sec-Fetch-Site", "cross-site").body()).contains("content=\"token-unknown\"")
				.doesNotContain("<form");
			assertThat(order(expired(), origin).body()).contains("content=\"token-unknown\"").doesNotContain("<form");
			assertThat(order(expired(), origin[0], origin[1], "Sec-Fetch-Site", "same-origin").body())
				.contains("<form");
		}

		@Test
		void filesAreChosenAgain() {
			Map<String, String> fields = expired();
			HttpResponse<String> refused = FormContract.this.site
				.send(FormContract.this.site.request("/orders?_csrf=" + fields.get("_csrf"))
					.header("Content-Type", "multipart/form-data; boundary=b")
					.header("Accept", Site.BROWSER)
					.header("Sec-Fetch-Site", "same-origin")
					.POST(BodyPublishers.ofString("--b\r\nContent-Disposition: form-data; name=\"" + Site.TOKEN
							+ "\"\r\n\r\nexpired\r\n--b--\r\n")));
			assertThat(refused.body()).contains("content=\"token-unknown\"").doesNotContain("<form");
		}

		@Test
		void hiddenMethodIsKept() {
			Map<String, String> fields = Site.fields(page("all"), "delete");
			fields.put(Site.TOKEN, "expired");
			HttpResponse<String> refused = FormContract.this.site.post("/orders/7", path("all"), fields);
			assertThat(FormContract.this.site.post("/orders/7", "/orders/7", Site.fields(refused.body())).body())
				.startsWith("deleted 7");
		}

		@Test
		void entriesSurviveALogin() {
			Map<String, String> fields = Site.fields(page("one"), "member");
			fields.put("name", "tea");
			HttpResponse<String> login = FormContract.this.site.post("/member/orders", path("one"), fields,
					"Sec-Fetch-Site", "same-origin");
			assertThat(login.body()).contains("name=\"username\"");
			Map<String, String> credentials = Site.fields(login.body());
			credentials.put("username", "ann");
			credentials.put("password", "secret");
			HttpResponse<String> refused = FormContract.this.site.post("/login", "/login", credentials);
			assertThat(refused.body()).contains("content=\"token-unknown\"", "Send now");
			assertThat(FormContract.this.site.post("/member/orders?continue", "/login", Site.fields(refused.body()))
				.body()).startsWith("member").endsWith("tea");
		}

		private Map<String, String> expired() {
			Map<String, String> fields = new LinkedHashMap<>(Site.fields(page("one"), "create"));
			fields.put("name", "tea & \"<b>\"");
			fields.put(Site.TOKEN, "expired");
			return fields;
		}

	}

	@Nested
	class TokensOfTheBean {

		@Test
		void linkInAMailIsGoodForOneSubmission() {
			String token = tokens().issueTo(Caller.ANONYMOUS, "create", Duration.ofDays(7));
			Map<String, String> fields = Site.fields(page("one"), "create");
			fields.put(Site.TOKEN, token);
			String first = orders(fields);
			assertThat(first).startsWith("created");
			Map<String, String> later = Site.fields(page("one"), "create");
			later.put(Site.TOKEN, token);
			assertThat(orders(later)).isEqualTo(first);
		}

		@Test
		void tokenOfAnotherCallerIsUnknown() {
			Map<String, String> fields = Site.fields(page("one"), "create");
			fields.put(Site.TOKEN, tokens().issueTo(Caller.named("ann"), "create", Duration.ofDays(7)));
			assertThat(orders(fields)).contains("content=\"token-unknown\"");
		}

		@Test
		void timeToLiveIsThatOfTheLink() throws InterruptedException {
			Map<String, String> fields = Site.fields(page("one"), "create");
			fields.put(Site.TOKEN, tokens().issueTo(Caller.ANONYMOUS, "create", Duration.ofMillis(1)));
			Thread.sleep(1100);
			assertThat(orders(fields)).contains("content=\"token-unknown\"");
		}

		@Test
		void unusableRequestsAreRefused() {
			assertThatIllegalArgumentException()
				.isThrownBy(() -> tokens().issueTo(Caller.ANONYMOUS, "none", Duration.ofDays(1)))
				.withMessageContaining("'none'");
			assertThatIllegalArgumentException()
				.isThrownBy(() -> tokens().issueTo(Caller.named(""), "create", Duration.ofDays(1)));
			assertThatIllegalArgumentException()
				.isThrownBy(() -> tokens().issueTo(Caller.ANONYMOUS, "create", Duration.ZERO));
			assertThatIllegalStateException().isThrownBy(() -> tokens().issue());
		}

	}

}
