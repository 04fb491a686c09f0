package io.idempotent.steps.internal;

import io.idempotent.testing.TestMariaDb;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("mariadb")
class MariaDbCrashSweepTests {

	@Test
	void nothingIsLostOrDoneTwice() {
		CrashSweepTests.sweep(StepsDatabase.mariaDb(TestMariaDb.newDatabase()));
	}

}
