package io.idempotent.lock.fence;

import io.idempotent.testing.GuardedDatabase;
import io.idempotent.testing.TestMySql;
import io.idempotent.testing.WithMySql;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Also with a driver that does not count rows which stay as they are.
 */
@WithMySql
@ParameterizedClass
@ValueSource(booleans = { false, true })
class MySqlFenceGuardTests extends FenceGuardContract {

	private static GuardedDatabase database;

	@Parameter
	boolean useAffectedRows;

	@BeforeParameterizedClassInvocation
	static void createDatabase(boolean useAffectedRows) {
		database = GuardedDatabase.mySql(TestMySql.newDatabase() + "&useAffectedRows=" + useAffectedRows);
	}

	@AfterParameterizedClassInvocation
	static void closePool() {
		database.close();
	}

	@Override
	protected GuardedDatabase database() {
		return database;
	}

}
