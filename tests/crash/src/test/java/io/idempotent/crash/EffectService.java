package io.idempotent.crash;

import java.util.Optional;

import io.idempotent.transaction.TransactionScope;

import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.annotation.Transactional;

/**
 * Takes effect: one row for each call, and nothing that would keep a second one off.
 */
class EffectService {

	private final JdbcClient database;

	private final Breakpoints breakpoints;

	EffectService(JdbcClient database, Breakpoints breakpoints) {
		this.database = database;
		this.breakpoints = breakpoints;
	}

	@Transactional
	public long add(String key) {
		long number = this.database.sql("insert into effect (operation, process) values (?, ?) returning number")
			.params(key, ProcessHandle.current().pid())
			.query(Long.class)
			.single();
		// After the receipt, which is the last thing before the commit.
		TransactionScope.open().get(0).beforeCommit(() -> this.breakpoints.pass(CrashPoint.BEFORE_COMMIT));
		this.breakpoints.pass(CrashPoint.IN_TRANSACTION);
		return number;
	}

	Optional<Long> find(String key) {
		return this.database.sql("select number from effect where operation = ? order by number limit 1")
			.param(key)
			.query(Long.class)
			.optional();
	}

}
