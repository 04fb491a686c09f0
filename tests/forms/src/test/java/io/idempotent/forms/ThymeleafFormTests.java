package io.idempotent.forms;

import java.net.http.HttpResponse;
import java.util.Map;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Thymeleaf, with stored tokens.
 */
class ThymeleafFormTests extends FormContract {

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
	void formsWithoutThActionHaveTheFieldToo() {
		String page = page("plain");
		assertThat(Site.formIds(page)).filteredOn((id) -> Site.fields(page, id).containsKey(Site.TOKEN))
			.containsExactly("own-page", "by-hand", "relative", "htmx", "own-field", "row-0", "row-1", "part");
		assertThat(Site.formIds(page)).contains("get", "elsewhere", "search", "computed");
		assertThat(Site.fields(page, "own-field")).as("the last one").containsEntry(Site.TOKEN, "mine");
		Map<String, String> fields = Site.fields(page, "by-hand");
		fields.put("_csrf", Site.fields(page("one"), "create").get("_csrf"));
		HttpResponse<String> first = this.site.post("/orders", path("plain"), fields);
		assertThat(first.body()).startsWith("created");
		assertThat(this.site.post("/orders", path("plain"), fields).body()).isEqualTo(first.body());
	}

	@Test
	void aButtonWithAnAddressOfItsOwnBringsTheField() {
		String page = page("buttons");
		assertThat(Site.formIds(page)).filteredOn((id) -> Site.fields(page, id).containsKey(Site.TOKEN))
			.containsExactly("preview", "two", "by-button", "relative");
		assertThat(Site.formIds(page)).contains("get", "elsewhere", "outside");
		assertThat(page).containsPattern("name=\"_idempotentToken\" value=\"[^\"]+\" form=\"outside\"");
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
		Map<String, String> others = Site.fields(page("buttons"), "two");
		others.put("_csrf", Site.fields(page("one"), "create").get("_csrf"));
		assertThat(this.site.post("/orders", path("buttons"), others).body()).startsWith("created");
	}

}
