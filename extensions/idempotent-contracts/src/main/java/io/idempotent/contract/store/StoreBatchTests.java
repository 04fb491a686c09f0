package io.idempotent.contract.store;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

import io.idempotent.store.ClaimRequest;
import io.idempotent.store.ClaimResult;
import io.idempotent.store.ClaimResult.Completed;
import io.idempotent.store.ClaimResult.Granted;
import io.idempotent.store.ClaimResult.InProgress;
import io.idempotent.store.ClaimResult.KeyReused;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** Several claims in one call: each is as a claim by itself, or is left to one. */
abstract class StoreBatchTests extends StoreTests {

	private static final int MANY = 300;

	StoreBatchTests(IdempotencyStoreContract contract) {
		super(contract);
	}

	@Test
	void newKeysAreGrantedTogether() {
		List<StoreSubmission> all = Stream.generate(this::submission).limit(MANY).toList();
		assertThat(claimAll(all)).hasSize(MANY).containsOnly(new Granted(1, false));
		assertThat(all.get(MANY - 1).again().claim()).isInstanceOf(InProgress.class);
	}

	@Test
	void eachOfSeveralClaimsHasItsOwnResult() {
		StoreSubmission running = submission();
		running.granted();
		StoreSubmission done = completed(submission());
		List<ClaimResult> results = claimAll(
				List.of(submission(), running.again(), done.again(), unknown().again(), done.again().asking("else")));
		assertThat(results.get(0)).isEqualTo(new Granted(1, false));
		assertThat(results.get(1)).isInstanceOf(InProgress.class);
		assertThat(results.get(2)).isInstanceOfSatisfying(Completed.class,
				(met) -> assertThat(met.outcome()).isEqualTo(ANSWER));
		assertThat(results.get(3)).isEqualTo(new Granted(2, true));
		assertThat(results.get(4)).isEqualTo(new KeyReused(done.request().fingerprint()));
	}

	@Test
	void oneKeyTwiceIsGrantedOnce() {
		StoreSubmission first = submission();
		List<ClaimResult> results = claimAll(List.of(first, submission(), first.again()));
		assertThat(results.subList(0, 2)).containsOnly(new Granted(1, false));
		assertThat(results.get(2)).isInstanceOf(InProgress.class);
	}

	@Test
	void repeatedClaimsAreTheSameClaims() {
		List<StoreSubmission> all = List.of(submission(), submission());
		claimAll(all);
		assertThat(claimAll(all)).containsOnly(new Granted(1, false));
	}

	@Test
	void noClaimsHaveNoResults() {
		assertThat(store().claimAll(List.of())).isEmpty();
	}

	/** As every caller does: what was left open is claimed by itself. */
	private List<ClaimResult> claimAll(List<StoreSubmission> all) {
		List<ClaimRequest> requests = all.stream().map(StoreSubmission::request).toList();
		List<ClaimResult> results = new ArrayList<>();
		store().claimAll(requests).forEach(results::add);
		for (int i = 0; i < requests.size(); i++) {
			if (results.get(i) == null) {
				results.set(i, store().claim(requests.get(i)));
			}
		}
		return results;
	}

}
