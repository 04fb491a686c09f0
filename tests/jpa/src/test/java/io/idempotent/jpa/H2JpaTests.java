package io.idempotent.jpa;

import org.h2.jdbcx.JdbcDataSource;

/**
 * {@link JpaContract} on H2.
 */
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
