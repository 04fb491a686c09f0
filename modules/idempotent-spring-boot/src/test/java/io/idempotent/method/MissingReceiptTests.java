package io.idempotent.method;

import java.util.UUID;
import java.util.concurrent.CompletableFuture;

import javax.sql.DataSource;

import io.idempotent.testing.TestDatabase;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * An operation that should leave a receipt and leaves none is told in the log.
 */
@ExtendWith(OutputCaptureExtension.class)
class MissingReceiptTests {

	private static final String WARNING = "Operation 'Shop.plain' succeeded without a receipt";

	private final DataSource database = TestDatabase.h2().dataSource();

	private final DataSource otherDatabase = TestDatabase.h2().dataSource();

	private BorderNode node;

	@BeforeEach
	void start() {
		this.node = BorderNode.withReceipts(this.database, this.otherDatabase);
	}

	@AfterEach
	void stop() {
		this.node.close();
	}

	@Test
	void statementsWithoutATransactionAreLogged(CapturedOutput log) {
		this.node.shop().plain(key(), () -> this.node.write("unprotected"));
		assertThat(log).contains(WARNING).contains("its thread had no Spring transaction");
	}

	@Test
	void eachOperationIsLoggedOnce(CapturedOutput log) {
		this.node.shop().plain(key(), () -> this.node.write("unprotected"));
		int told = log.getAll().indexOf(WARNING);
		this.node.shop().plain(key(), () -> this.node.write("unprotected"));
		assertThat(log.getAll().lastIndexOf(WARNING)).isEqualTo(told);
		this.node.shop().joining(key(), () -> this.node.write("protected"));
		assertThat(log).doesNotContain("Operation 'Shop.joining'");
	}

	@Test
	void writesOnAnotherThreadAreLogged(CapturedOutput log) {
		this.node.shop()
			.plain(key(),
					() -> CompletableFuture
						.supplyAsync(() -> this.node.transaction().execute((status) -> this.node.write("unprotected")))
						.join());
		assertThat(log).contains(WARNING).contains("other threads");
	}

	@Test
	void writesToAnotherDatabaseAreLogged(CapturedOutput log) {
		this.node.shop().plain(key(), () -> this.node.elsewhere().execute((status) -> "unprotected"));
		assertThat(log).contains(WARNING).contains("not on the guarded DataSource");
	}

	@Test
	void writesUnderAReceiptAndReadsAreNotLogged(CapturedOutput log) {
		this.node.shop().plain(key(), () -> this.node.transaction().execute((status) -> this.node.write("protected")));
		TransactionTemplate reading = this.node.transaction();
		reading.setReadOnly(true);
		this.node.shop().plain(key(), () -> reading.execute((status) -> "read"));
		assertThat(log).doesNotContain(WARNING);
	}

	@Test
	void aFailedOperationIsNotLogged(CapturedOutput log) {
		assertThatIllegalStateException().isThrownBy(() -> this.node.shop().plain(key(), () -> {
			throw new IllegalStateException("planned");
		}));
		assertThat(log).doesNotContain(WARNING);
	}

	@Test
	void aCallbackWithoutATransactionAfterCompletionIsLogged(CapturedOutput log) {
		this.node.transaction()
			.executeWithoutResult((status) -> BorderNode
				.afterCompletion(() -> this.node.shop().plain(key(), () -> this.node.write("uncertain"))));
		assertThat(log).contains("Operation 'Shop.plain' runs in a callback after the completion");
	}

	private static String key() {
		return UUID.randomUUID().toString();
	}

}
