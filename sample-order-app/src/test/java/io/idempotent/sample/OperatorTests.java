package io.idempotent.sample;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.Base64;

import org.junit.jupiter.api.Test;

import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Who may change what operators change.
 */
@SpringBootTest(webEnvironment = WebEnvironment.RANDOM_PORT,
		properties = { "spring.security.user.password=secret", "server.servlet.session.cookie.name=shop-session" })
class OperatorTests {

	@LocalServerPort
	private int port;

	@Test
	void aProgramSendsThePassword() {
		assertThat(release(HttpRequest.newBuilder())).isEqualTo(200);
	}

	@Test
	void aSessionNeedsATokenWhateverElseIsSent() {
		assertThat(release(HttpRequest.newBuilder().header("Cookie", "shop-session=0123456789ABCDEF"))).isEqualTo(403);
	}

	private int release(HttpRequest.Builder request) {
		String credentials = Base64.getEncoder().encodeToString("operator:secret".getBytes(StandardCharsets.UTF_8));
		return HttpClient.newHttpClient()
			.sendAsync(request.uri(URI.create("http://localhost:" + this.port + "/actuator/locks"))
				.header("Authorization", "Basic " + credentials)
				.header("Content-Type", "application/json")
				.POST(BodyPublishers
					.ofString("{\"action\": \"release\", \"name\": \"nobody-holds-it\", \"reason\": \"a test\"}"))
				.build(), BodyHandlers.ofString())
			.join()
			.statusCode();
	}

}
