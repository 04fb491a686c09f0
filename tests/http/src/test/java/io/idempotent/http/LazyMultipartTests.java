package io.idempotent.http;

import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * With {@code spring.servlet.multipart.resolve-lazily}, the handler method is the first
 * to learn that its parts cannot be read.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class LazyMultipartTests {

	private static final String[] LAZILY = { "spring.servlet.multipart.resolve-lazily=true",
			"spring.servlet.multipart.max-file-size=10KB", "server.tomcat.max-http-form-post-size=1KB",
			"server.tomcat.max-parameter-count=150" };

	private final Pair tomcat = Pair.start(Server.Container.TOMCAT, LAZILY);

	@AfterAll
	void stop() {
		this.tomcat.close();
	}

	static Stream<Twin> twins() {
		return Stream.of("parts", "parts-by-hand", "parts-caught", "parts-unread", "parts-by-content")
			.flatMap((path) -> requests("/requests/" + path));
	}

	private static Stream<Twin> requests(String path) {
		String type = "multipart/form-data; boundary=next";
		String part = "--next\r\nContent-Disposition: form-data; name=\"n\"\r\n\r\n7\r\n";
		return Stream.of(Twin.of("parts", Request.post(path).body(type, Requests.PARTS)),
				Twin.of("a part that is too large",
						Request.post(path).body(type, Requests.PARTS.replace("content of a file", "x".repeat(20_000)))),
				Twin.of("too many parts",
						Request.post(path)
							.body(type, IntStream.range(0, 100).mapToObj((i) -> part).collect(joining()) + "--next--")),
				Twin.of("parts that break off", Request.post(path).body(type, Requests.PARTS.substring(0, 100))),
				Twin.of("parts without a boundary", Request.post(path).body("multipart/form-data", Requests.PARTS)));
	}

	@ParameterizedTest(name = "{0}")
	@MethodSource("twins")
	void partsThatCannotBeReadAreAnsweredByTheApplication(Twin twin) {
		assertThat(deviations(this.tomcat, twin)).isEmpty();
	}

	@ParameterizedTest
	@ValueSource(strings = { "by/map", "by/stream", "order", "string" })
	void limitsOfFormsAreThoseOfTheApplication(String way) {
		String many = IntStream.range(0, 200).mapToObj((i) -> "a").collect(joining("&"));
		for (String form : List.of("a=" + "x".repeat(2000), many)) {
			Request request = Request.of("POST", "/readings/header/1/" + way)
				.header("Idempotency-Key: " + UUID.randomUUID())
				.body("application/x-www-form-urlencoded", form);
			assertThat(RawClient.send(this.tomcat.with().port(), request).status())
				.isEqualTo(RawClient.send(this.tomcat.without().port(), request).status());
		}
	}

	/** But for parts that break off, as docs/reference/handlers.md says. */
	@Test
	@Tag("slow")
	void jettysPartsThatCannotBeReadAreAnsweredByTheApplication() {
		try (Pair jetty = Pair.start(Server.Container.JETTY, LAZILY)) {
			assertThat(twins().filter((twin) -> !twin.name().equals("parts that break off"))
				.flatMap((twin) -> deviations(jetty, twin).stream())
				// Jetty closes if more of the body is left than it likes.
				.filter((difference) -> !difference.contains(": connection should be"))).isEmpty();
		}
	}

	private static List<String> deviations(Pair pair, Twin twin) {
		return new TwinCheck(pair, RawClient::send).of(twin);
	}

}
