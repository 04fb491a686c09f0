package io.idempotent.forms;

import java.net.http.HttpResponse;
import java.util.Map;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

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
		}
		assertThat(fields).containsKey(Site.TOKEN);
		fields.put("name", "tea");
		HttpResponse<String> refused = this.site.post("/orders", path("one"), fields);
		assertThat(refused.body()).contains("content=\"token-unknown\"");
		assertThat(this.site.post("/orders", path("one"), Site.fields(refused.body())).body()).startsWith("created");
	}

}
