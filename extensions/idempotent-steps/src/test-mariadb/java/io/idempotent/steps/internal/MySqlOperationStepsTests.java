package io.idempotent.steps.internal;

import io.idempotent.testing.TestMySql;
import io.idempotent.testing.WithMySql;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;

@WithMySql
class MySqlOperationStepsTests extends OperationStepsContract {

	private static TestMySql server;

	private static StepsDatabase database;

	@BeforeAll
	static void startServer() {
		server = TestMySql.start();
		database = StepsDatabase.mySql(server.url());
	}

	@AfterAll
	static void stopServer() {
		database.close();
		server.close();
	}

	@Override
	StepsDatabase database() {
		return database;
	}

	@Nested
	class Resumption extends ResumptionContract {

		@Override
		StepsDatabase database() {
			return database;
		}

	}

}
