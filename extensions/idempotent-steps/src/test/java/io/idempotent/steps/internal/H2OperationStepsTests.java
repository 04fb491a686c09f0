package io.idempotent.steps.internal;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;

class H2OperationStepsTests extends OperationStepsContract {

	private static StepsDatabase database;

	@BeforeAll
	static void createDatabase() {
		database = StepsDatabase.h2();
	}

	@AfterAll
	static void dropDatabase() {
		database.close();
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
