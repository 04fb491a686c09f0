package io.idempotent.steps.internal;

import io.idempotent.testing.TestMySql;
import io.idempotent.testing.WithMySql;

@WithMySql
class MySqlOperationStepsTests extends OperationStepsContract {

	private static final StepsDatabase DATABASE = StepsDatabase.mySql(TestMySql.newDatabase());

	@Override
	StepsDatabase database() {
		return DATABASE;
	}

}
