package io.idempotent.lock.fence;

import io.idempotent.testing.GuardedDatabase;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

class H2FenceGuardTests extends FenceGuardContract {

	private static GuardedDatabase database;

	@BeforeAll
	static void createDatabase() {
		database = GuardedDatabase.h2();
	}

	@AfterAll
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

}
