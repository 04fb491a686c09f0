package io.idempotent.forms;

import java.net.http.HttpResponse;
import java.util.Map;
import java.util.Objects;

import org.junit.jupiter.api.Test;

import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.RedisServerCommands;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Thymeleaf, with stored tokens.
 */
class ThymeleafFormTests extends FormContract {

	private static final String HEADER = "\\{&quot;Idempotent-Token&quot;:&quot;[\\w.-]+&quot;}";

	ThymeleafFormTests() {
		super("th");
	}

	@Test
	void formRenderedDuringAnOutageWorksAfterwards() {
		this.redis.stop();
		Map<String, String> fields;
		try {
			fields = Site.fields(page("one"), "create");
		}
		finally {
			this.redis.restart();
			// The client connects again by itself, after a while.
			await().until(() -> this.site.get("/token").statusCode() == 200);
		}
		assertThat(fields).containsKey(Site.TOKEN);
		fields.put("name", "tea");
		HttpResponse<String> refused = this.site.post("/orders", path("one"), fields);
		assertThat(refused.body()).contains("content=\"token-unknown\"");
		assertThat(this.site.post("/orders", path("one"), Site.fields(refused.body())).body()).startsWith("created");
	}

	@Test
	void aPageAsksAHangingRedisOnce() throws Exception {
		RedisConnectionFactory connections = this.application.getBean(RedisConnectionFactory.class);
		String page;
		try (RedisConnection connection = connections.getConnection()) {
			RedisServerCommands server = connection.serverCommands();
			String process = server.info("server").getProperty("process_id");
			server.resetConfigStats();
			signal("-STOP", process);
			try {
				page = page("all");
			}
			finally {
				signal("-CONT", process);
			}
			// The server reads now what it was sent.
			assertThat(await().until(() -> server.info("commandstats").getProperty("cmdstat_set"), Objects::nonNull))
				.startsWith("calls=1,");
		}
		assertThat(Site.formIds(page)).filteredOn((id) -> Site.fields(page, id).containsKey(Site.TOKEN))
			.containsExactlyElementsOf(WITH_TOKEN);
	}

	private static void signal(String signal, String process) throws Exception {
		assertThat(new ProcessBuilder("kill", signal, process).start().waitFor()).isZero();
	}

	@Test
	void formsWithoutThActionHaveTheFieldToo() {
		String page = page("plain");
		assertThat(Site.formIds(page)).filteredOn((id) -> Site.fields(page, id).containsKey(Site.TOKEN))
			.containsExactly("own-page", "by-hand", "relative", "htmx-too", "own-field", "row-0", "row-1", "part");
		assertThat(Site.formIds(page)).contains("get", "elsewhere", "search", "computed");
		assertThat(Site.fields(page, "own-field")).as("the last one").containsEntry(Site.TOKEN, "mine");
		Map<String, String> fields = Site.fields(page, "by-hand");
		fields.put("_csrf", Site.fields(page("one"), "create").get("_csrf"));
		HttpResponse<String> first = this.site.post("/orders", path("plain"), fields);
		assertThat(first.body()).startsWith("created");
		assertThat(this.site.post("/orders", path("plain"), fields).body()).isEqualTo(first.body());
	}

	@Test
	void aFormThatOnlyHtmxSendsHasAHeader() {
		String page = page("plain");
		assertThat(page).containsPattern("<form id=\"htmx\" hx-post=\"/shop/orders\" hx-headers=\"" + HEADER);
		assertThat(Site.fields(page, "htmx")).doesNotContainKey(Site.TOKEN);
	}

	@Test
	void noTokenLeavesTheApplication() {
		String page = page("leaving");
		assertThat(Site.formIds(page)).hasSize(13)
			.allSatisfy((id) -> assertThat(Site.fields(page, id)).doesNotContainKey(Site.TOKEN));
		assertThat(page).containsOnlyOnce("Idempotent-Token")
			.containsPattern("<form id=\"header\" [^>]*hx-headers=\"" + HEADER)
			.containsOnlyOnce(Site.TOKEN)
			.containsPattern("<button formaction=\"/shop/orders\" name=\"_idempotentToken\" value=\"[^\"]+\"");
	}

	@Test
	void aButtonWithAnAddressOfItsOwnBringsTheField() {
		String page = page("buttons");
		assertThat(Site.formIds(page)).filteredOn((id) -> Site.fields(page, id).containsKey(Site.TOKEN))
			.containsExactly("preview", "two", "relative");
		assertThat(Site.formIds(page)).contains("get", "elsewhere", "outside");
		assertThat(page)
			.containsPattern(
					"<button formmethod=\"post\" formaction=\"orders\" name=\"_idempotentToken\" value=\"[^\"]+\"")
			.containsPattern("<button form=\"outside\" [^>]+ name=\"_idempotentToken\" value=\"[^\"]+\"");
		Map<String, String> fields = Site.fields(page, "preview");
		HttpResponse<String> first = this.site.post("/orders", path("buttons"), fields);
		assertThat(first.body()).startsWith("created");
		assertThat(this.site.post("/orders", path("buttons"), fields).body()).isEqualTo(first.body());
	}

	@Test
	void aFormThatIsSentWithOrWithoutSuchAButtonHasATokenForBoth() {
		Map<String, String> fields = Site.fields(page("buttons"), "two");
		fields.put("_csrf", Site.fields(page("one"), "create").get("_csrf"));
		assertThat(this.site.post("/orders/7", path("buttons"), fields).body()).isEqualTo("corrected 7");
		assertThat(this.site.post("/orders", path("buttons"), fields).body()).contains("content=\"key-reused\"");
		Map<String, String> others = Site.fields(page("buttons"), "two");
		others.put("_csrf", Site.fields(page("one"), "create").get("_csrf"));
		assertThat(this.site.post("/orders", path("buttons"), others).body()).startsWith("created");
	}

}
