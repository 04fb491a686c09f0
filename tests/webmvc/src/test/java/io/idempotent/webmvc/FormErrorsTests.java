package io.idempotent.webmvc;

import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.util.UUID;

import io.idempotent.ApiIdempotent;
import io.idempotent.KeySource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.RegisterExtension;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.stereotype.Controller;
import org.springframework.validation.BindingResult;
import org.springframework.web.bind.annotation.ModelAttribute;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.servlet.View;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A form that is shown again with errors and status 200 counts as completed, since nobody
 * knows whether the handler method looked at the errors. The log says so once.
 */
@ExtendWith(OutputCaptureExtension.class)
class FormErrorsTests {

	@RegisterExtension
	static final TestServer server = TestServer.of(Forms.class);

	@Test
	void isCompletedAndLoggedOnce(CapturedOutput log) {
		String key = UUID.randomUUID().toString();
		assertThat(TestServer.isReplayed(submit(key, "amount=many"))).isFalse();
		assertThat(TestServer.isReplayed(submit(key, "amount=many"))).isTrue();
		assertThat(TestServer.code(submit(key, "amount=7"))).isEqualTo("key-reused");
		submit(UUID.randomUUID().toString(), "amount=many");
		assertThat(log).containsOnlyOnce("has shown a form again with errors and status 200");
	}

	@Test
	void entriesWithoutErrorsAreNotLogged(CapturedOutput log) {
		assertThat(submit(UUID.randomUUID().toString(), "amount=7").statusCode()).isEqualTo(200);
		assertThat(log).doesNotContain("has shown a form again");
	}

	private static HttpResponse<byte[]> submit(String key, String entries) {
		return server.send(server.request("/forms")
			.header("Idempotency-Key", key)
			.header("Content-Type", "application/x-www-form-urlencoded")
			.POST(BodyPublishers.ofString(entries)));
	}

	@Controller
	static class Forms {

		@PostMapping("/forms")
		@ApiIdempotent(KeySource.HEADER)
		View enter(@ModelAttribute Entries entries, BindingResult errors) {
			return (model, request, response) -> response.getWriter().write("The form");
		}

	}

	record Entries(int amount) {
	}

}
