package io.idempotent.jdbc.store;

import io.idempotent.contract.store.StoreSubmission;
import io.idempotent.store.ClaimResult;
import io.idempotent.testing.TestDatabase;
import io.idempotent.testing.TestMariaDb;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;

@Tag("mariadb")
class MariaDbIdempotencyStoreTests extends JdbcIdempotencyStoreContract {

	private static final TestDatabase DATABASE = TestDatabase.mariaDb(TestMariaDb.newDatabase());

	@Test
	@ExtendWith(OutputCaptureExtension.class)
	void theDriverLogsNoKeyOfARepeat(CapturedOutput output) {
		StoreSubmission submission = StoreSubmission.to(store());
		submission.granted();
		assertThat(submission.again().claim()).isInstanceOf(ClaimResult.InProgress.class);
		assertThat(output).doesNotContain("Duplicate entry");
	}

	/** The statement that docs/troubleshooting.md shows. */
	@Test
	void aRecordIsFoundBySqlFromItsShortHash() {
		StoreSubmission submission = StoreSubmission.to(store());
		submission.granted();
		String start = "from_base64(replace(replace('" + submission.key() + "', '-', '+'), '_', '/'))";
		assertThat(DATABASE.sql()
			.queryForList(
					"select replace(replace(trim(trailing '=' from to_base64(operation_key)), '+', '-'), '/', '_') "
							+ "from idempotent_record where operation_key between " + start + " and concat(" + start
							+ ", unhex(repeat('ff', 23)))",
					String.class))
			.containsExactly(submission.key().encoded());
	}

	@Override
	protected TestDatabase database() {
		return DATABASE;
	}

}
