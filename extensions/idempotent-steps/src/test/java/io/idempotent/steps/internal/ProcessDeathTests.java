package io.idempotent.steps.internal;

import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.Predicate;

import io.idempotent.testing.TestPostgres;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A process that runs an operation of three steps ends before and after each statement,
 * commit and call. One repeat in another process completes the operation.
 */
@Tag("slow")
class ProcessDeathTests {

	/** Statements about steps and orders, a commit and two calls. */
	private static final int POINTS = 2 * (7 + 1 + 1 + 2);

	private static final String COMPLETE = "order for charge 1, orders: 1, effects: 2";

	@Test
	void onPostgreSqlNothingIsLostOrDoneTwice() throws Exception {
		assertThat(sweep(true, (outcomes) -> false)).containsOnly(COMPLETE).hasSize(POINTS);
	}

	@Test
	void theSweepFindsACallWithoutItsKey() throws Exception {
		String found = "order for charge 2, orders: 1, effects: 3";
		assertThat(sweep(false, (outcomes) -> outcomes.contains(found))).contains(COMPLETE, found);
	}

	/** Returns what has happened after one repeat, for each point. */
	private List<String> sweep(boolean withKey, Predicate<List<String>> enough) throws Exception {
		String url = TestPostgres.newDatabase();
		List<String> outcomes = new ArrayList<>();
		try (StepsDatabase database = StepsDatabase.postgresql(url)) {
			while (!enough.test(outcomes)) {
				try (ProviderServer provider = new ProviderServer()) {
					PaymentProcess payment = new PaymentProcess(url, provider.url(), UUID.randomUUID().toString(),
							withKey);
					if (!payment.dies(outcomes.size() + 1)) {
						break;
					}
					outcomes.add(outcome(payment) + ", orders: " + database.orders(payment.item()) + ", effects: "
							+ provider.effects());
				}
			}
		}
		return outcomes;
	}

	private static String outcome(PaymentProcess payment) {
		try {
			return payment.run(Points.counted());
		}
		catch (RuntimeException ex) {
			return ex.toString();
		}
	}

}
