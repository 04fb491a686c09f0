package io.idempotent.webmvc;

import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;

import javax.sql.DataSource;

import io.idempotent.ApiIdempotent;
import io.idempotent.KeySource;
import io.idempotent.ReceiptMode;
import io.idempotent.testing.TestDatabase;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.context.annotation.Bean;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.interceptor.TransactionAspectSupport;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A handler method that answers 2xx and has its own transaction rolled back has not taken
 * effect.
 */
class RolledBackHandlerTests {

	@RegisterExtension
	static final TestServer server = TestServer.of(Shop.class, "idempotent.guard.enabled=true",
			"idempotent.initialize-schema=always");

	@BeforeAll
	static void createTable() {
		Shop.sql.execute("create table effect (run int not null)");
	}

	@BeforeEach
	void clear() {
		Shop.sql.update("delete from effect");
		Shop.runs.set(0);
	}

	@ParameterizedTest
	@ValueSource(strings = { "/receipt", "/plain" })
	void anAnswerIsNotRecordedAfterARollback(String path) {
		String key = TestServer.newKey();
		assertThat(TestServer.text(server.submit(path, key))).isEqualTo("run 1");
		assertThat(TestServer.text(server.submit(path, key))).isEqualTo("run 2");
		assertThat(TestServer.text(server.submit(path, key))).isEqualTo("run 2");
		assertThat(Shop.sql.queryForList("select run from effect", Integer.class)).containsExactly(2);
	}

	@Test
	void theTransactionOfAnAsynchronousMethodDoesNotDecide() {
		String key = TestServer.newKey();
		assertThat(TestServer.text(server.submit("/later", key))).isEqualTo("run 1");
		assertThat(TestServer.text(server.submit("/later", key))).isEqualTo("run 1");
		assertThat(Shop.sql.queryForList("select run from effect", Integer.class)).containsExactly(1);
	}

	@RestController
	static class Shop {

		static final DataSource database = TestDatabase.h2().dataSource();

		static final JdbcTemplate sql = new JdbcTemplate(database);

		static final AtomicInteger runs = new AtomicInteger();

		@Bean
		static DataSource dataSource() {
			return database;
		}

		@Bean
		static JdbcTransactionManager transactionManager() {
			return new JdbcTransactionManager(database);
		}

		@PostMapping("/receipt")
		@ApiIdempotent(KeySource.HEADER)
		@Transactional
		public String withReceipt() {
			return write();
		}

		@PostMapping("/plain")
		@ApiIdempotent(value = KeySource.HEADER, receipt = ReceiptMode.OFF)
		@Transactional
		public String withoutReceipt() {
			return write();
		}

		@PostMapping("/later")
		@ApiIdempotent(value = KeySource.HEADER, receipt = ReceiptMode.OFF)
		@Transactional
		public Callable<String> later() {
			TransactionAspectSupport.currentTransactionStatus().setRollbackOnly();
			return () -> {
				int run = runs.incrementAndGet();
				sql.update("insert into effect (run) values (?)", run);
				return "run " + run;
			};
		}

		private static String write() {
			int run = runs.incrementAndGet();
			sql.update("insert into effect (run) values (?)", run);
			if (run == 1) {
				TransactionAspectSupport.currentTransactionStatus().setRollbackOnly();
			}
			return "run " + run;
		}

	}

}
