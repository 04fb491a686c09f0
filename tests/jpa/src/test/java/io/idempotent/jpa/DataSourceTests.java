package io.idempotent.jpa;

import java.util.UUID;
import java.util.function.Function;

import javax.sql.DataSource;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import org.springframework.jdbc.datasource.LazyConnectionDataSourceProxy;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Transactions are recognized through whatever the application puts around its database.
 */
@Tag("slow")
class DataSourceTests {

	private final String payment = UUID.randomUUID().toString();

	private final WatchedDatabase database = WatchedDatabase.h2(this.payment);

	@Test
	void aProxyThatConnectsLateHidesNoTransaction() {
		assertGuarded(LazyConnectionDataSourceProxy::new);
	}

	@Test
	void aProxyThatKnowsTransactionsHidesNone() {
		assertGuarded(TransactionAwareDataSourceProxy::new);
	}

	@Test
	void aProxyAroundAProxyHidesNoTransaction() {
		assertGuarded((database) -> new TransactionAwareDataSourceProxy(new LazyConnectionDataSourceProxy(database)));
	}

	private void assertGuarded(Function<DataSource, DataSource> proxy) {
		try (Node node = Node.start(proxy.apply(this.database))) {
			this.database.takeStatements();
			node.till().inTransaction(this.payment, () -> node.sell(this.payment));
			assertThat(this.database.takeStatements()).containsExactly("insert into idempotent_receipt",
					"insert into sale");
			node.till().inLock(() -> {
				assertThat(this.database.takeStatements()).isNotEmpty()
					.allSatisfy((statement) -> assertThat(statement).contains("idempotent_fence"));
				node.sell(this.payment);
			});
		}
		assertThat(this.database.sales(this.payment)).isEqualTo(2);
	}

}
