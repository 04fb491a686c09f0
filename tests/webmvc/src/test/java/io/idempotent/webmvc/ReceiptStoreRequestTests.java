package io.idempotent.webmvc;

import java.net.http.HttpResponse;

import javax.sql.DataSource;

import io.idempotent.ApiIdempotent;
import io.idempotent.KeySource;
import io.idempotent.testing.ObservedDataSource;
import io.idempotent.testing.TestDatabase;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import org.springframework.context.annotation.Bean;
import org.springframework.http.HttpStatus;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.support.TransactionTemplate;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ResponseStatusException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Requests to two nodes whose only records are the receipts in their database.
 */
class ReceiptStoreRequestTests {

	private static final String[] RECEIPTS = { "idempotent.store.type=receipt", "idempotent.guard.enabled=true",
			"idempotent.initialize-schema=always", "idempotent.namespace=receipts",
			"idempotent.store.near-cache.enabled=false", "spring.autoconfigure.exclude="
					+ "org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration" };

	@RegisterExtension
	static final TestServer first = TestServer.of(Shop.class, RECEIPTS);

	@RegisterExtension
	static final TestServer second = TestServer.of(Shop.class, RECEIPTS);

	@BeforeAll
	static void start() {
		sql().execute("create table if not exists sale (content varchar(255) not null)");
	}

	@Test
	void aRepeatGetsTheResponseOnAnyNode() {
		String key = TestServer.newKey();
		HttpResponse<byte[]> response = submit(first, "/sales", key, "book");
		assertThat(response.statusCode()).isEqualTo(201);
		TestServer.assertReplays(response, submit(second, "/sales", key, "book"));
		assertThat(sales(key)).isOne();
	}

	@Test
	void otherContentIsRefused() {
		String key = TestServer.newKey();
		submit(first, "/sales", key, "book");
		assertThat(TestServer.code(submit(second, "/sales", key, "pen"))).isEqualTo("key-reused");
	}

	@Test
	void aResponseCostsOneStatementMoreThanTheReceipt() {
		submit(first, "/sales", TestServer.newKey(), "book");
		Shop.database.executed().clear();
		submit(first, "/sales", TestServer.newKey(), "book");
		assertThat(Shop.database.executed().stream().filter((sql) -> sql.contains("idempotent_"))).satisfiesExactly(
				(sql) -> assertThat(sql).startsWith("select"), (sql) -> assertThat(sql).startsWith("insert"),
				(sql) -> assertThat(sql).startsWith("update"));
	}

	@Test
	void aRejectedRequestIsNotRemembered() {
		String key = TestServer.newKey();
		assertThat(submit(first, "/sales", key, "").statusCode()).isEqualTo(400);
		assertThat(submit(second, "/sales", key, "book").statusCode()).isEqualTo(201);
	}

	@Test
	void noTokensAreIssued() {
		assertThat(first.send(first.request("/token")).statusCode()).isEqualTo(404);
		assertThatExceptionOfType(RuntimeException.class)
			.isThrownBy(() -> TestServer.start(first.redis(), Forms.class, RECEIPTS).close())
			.withStackTraceContaining("'token', but with idempotent.store.type=receipt the receipt");
	}

	private static HttpResponse<byte[]> submit(TestServer to, String path, String key, String body) {
		return to.submit(path, key, key + body);
	}

	private static int sales(String key) {
		return sql().queryForObject("select count(*) from sale where content like ?", Integer.class, key + "%");
	}

	private static JdbcTemplate sql() {
		return new JdbcTemplate(Shop.database);
	}

	@RestController
	static class Shop {

		static final ObservedDataSource database = new ObservedDataSource(TestDatabase.h2().dataSource());

		private final TransactionTemplate transaction;

		Shop(TransactionTemplate transaction) {
			this.transaction = transaction;
		}

		@Bean
		static DataSource dataSource() {
			return database;
		}

		@PostMapping("/sales")
		@ApiIdempotent(KeySource.HEADER)
		@ResponseStatus(HttpStatus.CREATED)
		String sell(@RequestBody String content) {
			if (content.length() == 36) {
				throw new ResponseStatusException(HttpStatus.BAD_REQUEST);
			}
			this.transaction.executeWithoutResult((status) -> sql().update("insert into sale values (?)", content));
			return "sold " + content;
		}

	}

	@RestController
	static class Forms extends Shop {

		Forms(TransactionTemplate transaction) {
			super(transaction);
		}

		@PostMapping("/forms")
		@ApiIdempotent
		void submit() {
		}

	}

}
