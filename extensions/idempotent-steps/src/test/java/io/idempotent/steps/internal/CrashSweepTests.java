package io.idempotent.steps.internal;

import java.util.UUID;

import io.idempotent.steps.OperationSteps;
import io.idempotent.steps.internal.CrashSweep.Trial;
import io.idempotent.testing.TestPostgres;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * An operation of three steps whose process dies, or stands still, before and after each
 * statement, commit and call.
 */
class CrashSweepTests {

	@Test
	void onPostgreSqlNothingIsLostOrDoneTwice() {
		StepsDatabase postgresql = StepsDatabase.postgresql(TestPostgres.newDatabase());
		try (postgresql; CrashSweep sweep = new CrashSweep(postgresql, CrashSweepTests::pay)) {
			sweep.dieTwice();
			sweep.standStill();
			assertThat(sweep.deviations()).isEmpty();
			assertThat(sweep.runs()).isGreaterThan(1000);
		}
	}

	@Test
	void theSweepFindsACallWithoutItsKey() {
		try (StepsDatabase h2 = StepsDatabase.h2(); CrashSweep sweep = new CrashSweep(h2, (steps, trial) -> {
			String charge = steps.external("charge", String.class,
					(key) -> trial.call(UUID.randomUUID().toString(), "charge"));
			String order = steps.transactional("book", String.class, () -> trial.order(charge));
			steps.external("mail", (key) -> trial.call(key, "mail"));
			return order;
		})) {
			sweep.dieTwice();
			assertThat(sweep.deviations()).isNotEmpty();
		}
	}

	@Test
	void theSweepFindsAnEffectOutsideOfItsStep() {
		try (StepsDatabase h2 = StepsDatabase.h2(); CrashSweep sweep = new CrashSweep(h2, (steps, trial) -> {
			String charge = steps.external("charge", String.class, (key) -> trial.call(key, "charge"));
			String order = trial.order(charge);
			steps.external("mail", (key) -> trial.call(key, "mail"));
			return order;
		})) {
			sweep.dieTwice();
			assertThat(sweep.deviations()).isNotEmpty();
		}
	}

	private static String pay(OperationSteps steps, Trial trial) {
		String charge = steps.external("charge", String.class, (key) -> trial.call(key, "charge"));
		String order = steps.transactional("book", String.class, () -> trial.order(charge));
		steps.external("mail", (key) -> trial.call(key, "mail"));
		return order;
	}

}
