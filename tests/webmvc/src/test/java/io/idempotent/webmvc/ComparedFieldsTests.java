package io.idempotent.webmvc;

import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;

import io.idempotent.ApiIdempotent;
import io.idempotent.KeySource;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Fields that change from one attempt to the next can be left out of what is compared.
 */
class ComparedFieldsTests {

	private static final String FORM = "application/x-www-form-urlencoded";

	private static final String JSON = "application/json";

	private static final String MULTIPART = "multipart/form-data; boundary=b";

	@RegisterExtension
	static final TestServer server = TestServer.of(Orders.class, "idempotent.defaults.ignored-fields=sentAt",
			"idempotent.operations[Orders.byProperty].ignored-fields[0]=trace",
			"idempotent.operations[Orders.byProperty].ignored-fields[1]=attempt",
			"idempotent.operations[Orders.byOtherProperty].compared-fields=id");

	@ParameterizedTest
	@CsvSource({ "/by-default,sentAt,more", "/ignoring,trace,sentAt", "/comparing,more,id", "/by-property,attempt,id",
			"/by-property,trace,sentAt", "/by-other-property,more,id", "/content,trace,more" })
	void ignoredFieldsMayChange(String path, String free, String counting) {
		for (String type : new String[] { JSON, FORM, MULTIPART }) {
			String key = UUID.randomUUID().toString();
			HttpResponse<byte[]> first = submit(path, type, key, free, "1", counting, "1");
			assertThat(first.statusCode()).isEqualTo(200);
			HttpResponse<byte[]> repeat = submit(path, type, key, free, "2", counting, "1");
			assertThat(TestServer.isReplayed(repeat)).isTrue();
			assertThat(repeat.body()).isEqualTo(first.body());
			HttpResponse<byte[]> other = submit(path, type, key, free, "1", counting, "2");
			assertThat(TestServer.isReplayed(other)).isFalse();
			assertThat(other.statusCode()).isEqualTo(path.equals("/content") ? 200 : 422);
		}
	}

	@ParameterizedTest
	@CsvSource({ "trace,200", "more,422" })
	void queryParametersAreFieldsToo(String name, int status) {
		String key = UUID.randomUUID().toString();
		assertThat(submit("/ignoring?" + name + "=1", JSON, key, "a", "1", "b", "1").statusCode()).isEqualTo(200);
		assertThat(submit("/ignoring?" + name + "=2", JSON, key, "a", "1", "b", "1").statusCode()).isEqualTo(status);
	}

	private static HttpResponse<byte[]> submit(String path, String type, String key, String one, String oneValue,
			String other, String otherValue) {
		String format = switch (type) {
			case JSON -> "{\"key\":\"" + key + "\",\"%s\":\"%s\",\"%s\":{\"x\":%s}}";
			case FORM -> "key=" + key + "&%s=%s&%s=%s";
			default -> part("key", key) + part("%s", "%s") + part("%s", "%s") + "--b--\r\n";
		};
		return server.send(server.request(path)
			.header("Content-Type", type)
			.header("Idempotency-Key", key)
			.POST(BodyPublishers.ofString(format.formatted(one, oneValue, other, otherValue))));
	}

	private static String part(String name, String value) {
		return "--b\r\nContent-Disposition: form-data; name=\"" + name + "\"\r\n\r\n" + value + "\r\n";
	}

	@RestController
	static class Orders {

		private static final AtomicInteger done = new AtomicInteger();

		@ApiIdempotent(KeySource.HEADER)
		@PostMapping("/by-default")
		String byDefault() {
			return "done " + done.incrementAndGet();
		}

		@ApiIdempotent(value = KeySource.HEADER, ignoredFields = { "trace", "attempt" })
		@PostMapping("/ignoring")
		String ignoring() {
			return "done " + done.incrementAndGet();
		}

		@ApiIdempotent(value = KeySource.HEADER, comparedFields = "id")
		@PostMapping("/comparing")
		String comparing() {
			return "done " + done.incrementAndGet();
		}

		@ApiIdempotent(value = KeySource.HEADER, comparedFields = "nothing")
		@PostMapping("/by-property")
		String byProperty() {
			return "done " + done.incrementAndGet();
		}

		@ApiIdempotent(KeySource.HEADER)
		@PostMapping("/by-other-property")
		String byOtherProperty() {
			return "done " + done.incrementAndGet();
		}

		@ApiIdempotent(value = KeySource.CONTENT, ignoredFields = "trace")
		@PostMapping("/content")
		String content() {
			return "done " + done.incrementAndGet();
		}

	}

}
