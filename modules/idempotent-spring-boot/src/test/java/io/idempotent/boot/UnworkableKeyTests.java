package io.idempotent.boot;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;

import io.idempotent.ApiIdempotent;
import io.idempotent.Idempotent;
import io.idempotent.SubmissionRefusedException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * A key expression that has a value for no call stops the application. One that has no
 * value for a certain call is told once, without what the client sent.
 */
@Tag("slow")
@ExtendWith(OutputCaptureExtension.class)
class UnworkableKeyTests {

	@Test
	void aCallWithoutAValueIsLoggedOncePerOperation(CapturedOutput output) {
		try (ConfigurableApplicationContext context = StartUp.run(List.of(Bean.class), "shop.key={#id}[1]")) {
			Bean bean = context.getBean(Bean.class);
			for (int i = 0; i < 3; i++) {
				assertThatExceptionOfType(SubmissionRefusedException.class).isThrownBy(() -> bean.run("4711"));
			}
		}
		assertThat(warnings(output)).singleElement()
			.asString()
			.contains("\"{#id}[1]\"", "'Bean.run'", "collection index out of bounds");
	}

	@Test
	void aRequestWithoutAValueIsLoggedOnceWithoutItsContent(CapturedOutput output) throws Exception {
		try (ConfigurableApplicationContext context = StartUp.run(List.of(Handler.class), "shop.key={1: 2}[#id].x")) {
			for (int i = 0; i < 3; i++) {
				assertThat(post(context, "/run?id=secret-4711")).contains("key-missing");
			}
		}
		assertThat(warnings(output)).singleElement()
			.asString()
			.contains("\"{1: 2}[#id].x\"", "'Handler.run'", "property or field not readable on null");
		assertThat(output).doesNotContain("secret-4711");
	}

	private static List<String> warnings(CapturedOutput output) {
		return output.getAll()
			.lines()
			.filter((line) -> line.contains("WARN") && line.contains("key expression"))
			.toList();
	}

	private static String post(ConfigurableApplicationContext context, String path)
			throws IOException, InterruptedException {
		URI uri = URI.create("http://localhost:" + context.getEnvironment().getProperty("local.server.port") + path);
		return HttpClient.newHttpClient()
			.send(HttpRequest.newBuilder(uri).POST(BodyPublishers.noBody()).build(), BodyHandlers.ofString())
			.body();
	}

	@RestController
	static class Handler {

		@ApiIdempotent(key = "${shop.key}")
		@PostMapping("/run")
		String run(String id) {
			return id;
		}

	}

	static class Bean {

		@Idempotent(key = "${shop.key}")
		void run(String id) {
		}

	}

}
