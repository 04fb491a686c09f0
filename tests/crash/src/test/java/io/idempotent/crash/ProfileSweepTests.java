package io.idempotent.crash;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

import io.idempotent.embedded.EmbeddedRedis;
import io.idempotent.testing.Schemas;
import io.idempotent.testing.TestDatabase;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static io.idempotent.crash.ProfileStep.DECLINED;
import static io.idempotent.crash.ProfileStep.DELIVER;
import static io.idempotent.crash.ProfileStep.FLUSH;
import static io.idempotent.crash.ProfileStep.LATE;
import static io.idempotent.crash.ProfileStep.LOST;
import static io.idempotent.crash.ProfileStep.REPLY_LOST;
import static io.idempotent.crash.ProfileStep.SLOW;
import static io.idempotent.crash.ProfileStep.SUBMIT;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Whatever happens to a commit or to the store, no answer of any profile, no recorded
 * outcome and no count contradicts the row and its receipt.
 */
@Timeout(3600)
@Tag("slow")
class ProfileSweepTests {

	private static final int ROUNDS = Integer.getInteger("idempotent.crash.rounds", 0);

	private static final int DRAWN_IN_A_ROUND = 40;

	private static final long SEED = Long.getLong("idempotent.crash.seed", System.nanoTime());

	private static final List<ProfileStep[]> DIRECTED = List.of(steps(REPLY_LOST, SUBMIT), steps(LOST, SUBMIT),
			steps(LATE, DELIVER, SUBMIT), steps(LATE, SUBMIT, DELIVER, SUBMIT), steps(LATE, DECLINED, DELIVER, SUBMIT),
			steps(SUBMIT, FLUSH, SUBMIT, SUBMIT), steps(REPLY_LOST, FLUSH, SUBMIT, FLUSH, SUBMIT),
			steps(SLOW, SUBMIT, FLUSH, SUBMIT), steps(DECLINED, SUBMIT), steps(SUBMIT, FLUSH, DECLINED, SUBMIT));

	static TestDatabase database;

	private static EmbeddedRedis redis;

	@BeforeAll
	static void startServers() {
		TestDatabase h2 = TestDatabase.h2();
		database = h2.at(h2.url().replace("LOCK_TIMEOUT=5000", "LOCK_TIMEOUT=50"));
		Schemas.create(database.dataSource(), "h2", "lock/fence", "jdbc/receipt");
		ProfileApplication.createTable(database.dataSource());
		redis = EmbeddedRedis.start();
	}

	@AfterAll
	static void stopServers() {
		redis.close();
	}

	@ParameterizedTest
	@ValueSource(strings = { "idempotent", "ietf", "stripe", "acp" })
	void noAnswerContradictsTheReceipt(String profile) throws Exception {
		Random random = new Random(SEED + profile.hashCode());
		List<String> contradictions = new ArrayList<>();
		try (ProfileSweep sweep = new ProfileSweep(profile, redis)) {
			for (String operation : ProfileSweep.OPERATIONS) {
				for (ProfileStep[] steps : DIRECTED) {
					contradictions.addAll(sweep.run(operation, steps).contradictions());
				}
				for (int i = 0; i < ROUNDS * DRAWN_IN_A_ROUND; i++) {
					contradictions.addAll(sweep.run(operation, random).contradictions());
				}
			}
		}
		assertThat(contradictions).as("-Didempotent.crash.seed=%d", SEED).isEmpty();
	}

	private static ProfileStep[] steps(ProfileStep... steps) {
		return steps;
	}

}
