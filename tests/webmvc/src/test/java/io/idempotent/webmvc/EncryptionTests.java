package io.idempotent.webmvc;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.zip.GZIPOutputStream;

import javax.crypto.spec.SecretKeySpec;

import io.idempotent.ApiIdempotent;
import io.idempotent.KeySource;
import io.idempotent.testing.TestPostgres;
import jakarta.servlet.http.HttpServletResponse;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.context.annotation.Bean;
import org.springframework.http.HttpHeaders;
import org.springframework.http.ResponseEntity;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.security.crypto.encrypt.AesGcmBytesEncryptor;
import org.springframework.security.crypto.encrypt.BytesEncryptor;
import org.springframework.transaction.support.TransactionTemplate;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What is stored of requests and their responses, if the application encrypts it.
 */
class EncryptionTests {

	private static final String SECRET = "4711-0815";

	private static final Set<String> CHANGING = Set.of("date", "content-length", "transfer-encoding",
			"idempotency-replayed", "idempotency-ttl");

	@RegisterExtension
	static final TestServer redis = TestServer.of(Shop.class, "idempotent.store.near-cache.enabled=false");

	@RegisterExtension
	static final TestServer database = TestServer.of(Shop.class, "idempotent.store.near-cache.enabled=false",
			"idempotent.store.type=jdbc", "idempotent.guard.enabled=true", "idempotent.initialize-schema=always",
			"spring.datasource.url=" + TestPostgres.newDatabase());

	@ParameterizedTest
	@ValueSource(strings = { "/json", "/form", "/compressed" })
	void nothingOfAResponseIsReadableAndItsRepeatIsTheSame(String path) {
		Shop.runs.set(0);
		for (TestServer server : List.of(redis, database)) {
			String key = TestServer.newKey();
			HttpResponse<byte[]> first = server.submit(path, key, "{\"card\":\"" + SECRET + "\"}");
			assertThat(first.statusCode()).isLessThan(400);
			HttpResponse<byte[]> repeat = server.submit(path, key, "{\"card\":\"" + SECRET + "\"}");
			assertThat(TestServer.isReplayed(repeat)).isTrue();
			assertThat(repeat.statusCode()).isEqualTo(first.statusCode());
			assertThat(repeat.body()).isEqualTo(first.body());
			assertThat(headers(repeat)).isEqualTo(headers(first));
			assertThat(stored(server)).isNotEmpty()
				.doesNotContain(SECRET, "X-Card", "Location", "Content-Type", "application/json", key);
			if (first.body().length > 0) {
				assertThat(stored(server)).doesNotContain(new String(first.body(), StandardCharsets.ISO_8859_1));
			}
		}
		assertThat(Shop.runs).hasValue(2);
	}

	/** In Redis, its length is before it, at byte 55 of the record. */
	@Test
	void anAnswerThatWasCopiedToAnotherKeyIsNotReplayed() {
		String key = TestServer.newKey();
		String other = TestServer.newKey();
		ByteBuffer record = ByteBuffer.wrap(recordOf(key).getValue());
		Map.Entry<byte[], byte[]> forged = recordOf(other);
		System.arraycopy(record.array(), 59, forged.getValue(), 59, record.getInt(55));
		Records.of(redis).ask((sent) -> sent.stringCommands().set(forged.getKey(), forged.getValue()));
		Shop.runs.set(0);
		TestServer.assertRefused(redis.submit("/json", other), 409, "response-unavailable");
		assertThat(TestServer.isReplayed(redis.submit("/json", key))).isTrue();
		assertThat(Shop.runs).hasValue(0);
	}

	/** The name and the value of the record that a first submission leaves. */
	private static Map.Entry<byte[], byte[]> recordOf(String key) {
		Set<String> added = Records.of(redis).names();
		redis.submit("/json", key);
		Set<String> names = Records.of(redis).names();
		names.removeAll(added);
		byte[] name = names.iterator().next().getBytes(StandardCharsets.US_ASCII);
		return Map.entry(name, Records.of(redis).ask((sent) -> sent.stringCommands().get(name)));
	}

	private static Map<String, List<String>> headers(HttpResponse<?> response) {
		Map<String, List<String>> headers = new TreeMap<>(response.headers().map());
		headers.keySet().removeAll(CHANGING);
		return headers;
	}

	/** Byte by byte, as text. */
	private static String stored(TestServer server) {
		if (server == redis) {
			return Records.of(server).ask((connection) -> {
				StringBuilder all = new StringBuilder();
				for (byte[] key : connection.keyCommands().keys("*".getBytes(StandardCharsets.US_ASCII))) {
					byte[] value = connection.stringCommands().get(key);
					all.append(new String(value, StandardCharsets.ISO_8859_1)).append('\n');
				}
				return all.toString();
			});
		}
		JdbcTemplate sql = server.bean(JdbcTemplate.class);
		StringBuilder all = new StringBuilder();
		for (String table : List.of("idempotent_record", "idempotent_receipt")) {
			sql.queryForList("select * from " + table)
				.forEach((row) -> row.values()
					.forEach((value) -> all.append(
							(value instanceof byte[] bytes) ? new String(bytes, StandardCharsets.ISO_8859_1) : value)));
		}
		return all.toString();
	}

	@RestController
	@ApiIdempotent(KeySource.HEADER)
	static class Shop {

		static final AtomicInteger runs = new AtomicInteger();

		@Bean(defaultCandidate = false)
		@Qualifier("idempotent")
		static BytesEncryptor recordEncryptor() {
			return AesGcmBytesEncryptor
				.withSecretKey(new SecretKeySpec("correct horse 12".getBytes(StandardCharsets.US_ASCII), "AES"))
				.build();
		}

		private final TransactionTemplate transaction;

		Shop(TransactionTemplate transaction) {
			this.transaction = transaction;
		}

		/** With receipts it leaves one. */
		@PostMapping("/json")
		ResponseEntity<Map<String, String>> json() {
			this.transaction.executeWithoutResult((status) -> runs.incrementAndGet());
			return ResponseEntity.status(201).header("X-Card", SECRET).body(Map.of("card", SECRET));
		}

		@PostMapping("/form")
		void form(HttpServletResponse response) throws IOException {
			runs.incrementAndGet();
			response.sendRedirect("/orders/" + SECRET);
		}

		@PostMapping("/compressed")
		ResponseEntity<byte[]> compressed() throws IOException {
			runs.incrementAndGet();
			ByteArrayOutputStream bytes = new ByteArrayOutputStream();
			try (GZIPOutputStream gzip = new GZIPOutputStream(bytes)) {
				gzip.write(SECRET.getBytes(StandardCharsets.US_ASCII));
			}
			return ResponseEntity.created(URI.create("/orders/" + SECRET))
				.header(HttpHeaders.CONTENT_ENCODING, "gzip")
				.body(bytes.toByteArray());
		}

	}

}
