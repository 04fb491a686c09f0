package io.idempotent.steps.internal;

class H2OperationStepsTests extends OperationStepsContract {

	private static final StepsDatabase DATABASE = StepsDatabase.h2();

	@Override
	StepsDatabase database() {
		return DATABASE;
	}

}
