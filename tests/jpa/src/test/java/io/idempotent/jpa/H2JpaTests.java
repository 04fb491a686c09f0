package io.idempotent.jpa;

import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.Tag;

/**
 * {@link JpaContract} on H2.
 */
@Tag("slow")
class H2JpaTests extends JpaContract {

	static JdbcDataSource h2(String name) {
		JdbcDataSource memory = new JdbcDataSource();
		memory.setURL("jdbc:h2:mem:" + name + ";DB_CLOSE_DELAY=-1");
		return memory;
	}

	@Override
	WatchedDatabase database() {
		return new WatchedDatabase(h2("contract"));
	}

}
