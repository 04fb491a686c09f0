package io.idempotent.steps.internal;

import java.nio.file.Path;

import io.idempotent.testing.TestMariaDb;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("mariadb")
@Tag("slow")
class MariaDbProcessDeathTests {

	@Test
	void nothingIsLostOrDoneTwice(@TempDir Path directory) throws Exception {
		try (TestMariaDb server = TestMariaDb.start(); StepsDatabase database = StepsDatabase.mariaDb(server.url())) {
			ProcessDeathTests.assertComplete(ProcessDeathTests.sweep(database, server.url(), true, directory));
		}
	}

}
