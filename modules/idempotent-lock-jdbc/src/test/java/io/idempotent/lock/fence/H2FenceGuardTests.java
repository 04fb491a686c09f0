package io.idempotent.lock.fence;

import io.idempotent.testing.GuardedDatabase;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * On H2, and the statements for Oracle and SQL Server on H2 in their modes. That these
 * parse and do what they should is tested; not the table hint, the collation, that a
 * duplicate key leaves the transaction alive, nor any error code.
 */
@ParameterizedClass
@EnumSource
class H2FenceGuardTests extends FenceGuardContract {

	private static GuardedDatabase database;

	@Parameter
	Mode mode;

	@BeforeParameterizedClassInvocation
	static void createDatabase(Mode mode) {
		database = switch (mode) {
			case H2 -> GuardedDatabase.h2();
			case ORACLE -> GuardedDatabase.h2AsOracle();
			case SQL_SERVER -> GuardedDatabase.h2AsSqlServer();
		};
	}

	@AfterParameterizedClassInvocation
	static void dropDatabase() {
		database.close();
	}

	@Override
	protected GuardedDatabase database() {
		return database;
	}

	@Override
	protected int statementsOfTheFirstRaise() {
		return 2;
	}

	enum Mode {

		H2, ORACLE, SQL_SERVER

	}

}
