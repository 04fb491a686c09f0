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

}
