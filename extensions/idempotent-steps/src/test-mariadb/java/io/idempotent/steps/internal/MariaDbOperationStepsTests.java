package io.idempotent.steps.internal;

import io.idempotent.testing.TestMariaDb;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;

@Tag("mariadb")
class MariaDbOperationStepsTests extends OperationStepsContract {

	private static TestMariaDb server;

	private static StepsDatabase database;

	@BeforeAll
	static void startServer() {
		server = TestMariaDb.start();
		database = StepsDatabase.mariaDb(server.url());
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
