package io.idempotent.lock.jdbc;

import java.util.ArrayList;
import java.util.List;

import com.zaxxer.hikari.HikariDataSource;
import io.idempotent.contract.lock.SharedEntryContract;
import io.idempotent.lock.engine.SharedEntry;
import io.idempotent.testing.TestDatabase;
import org.junit.jupiter.api.AfterEach;

/**
 * The register in a table.
 */
abstract class JdbcSharedEntryContract extends SharedEntryContract {

	private final List<HikariDataSource> pools = new ArrayList<>();

	protected abstract TestDatabase database();

	@Override
	protected SharedEntry open(String name) {
		HikariDataSource pool = database().pool(1);
		this.pools.add(pool);
		return new JdbcLockEngine(pool).sharedEntry(name);
	}

	@AfterEach
	void closePools() {
		this.pools.forEach(HikariDataSource::close);
	}

}
