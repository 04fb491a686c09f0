package io.idempotent.steps.internal;

import io.idempotent.testing.TestMariaDb;
import org.junit.jupiter.api.Tag;

@Tag("mariadb")
class MariaDbOperationStepsTests extends OperationStepsContract {

	private static final StepsDatabase DATABASE = StepsDatabase.mariaDb(TestMariaDb.newDatabase());

	@Override
	StepsDatabase database() {
		return DATABASE;
	}

}
