package io.idempotent.store;

import java.time.Duration;
import java.util.List;

import io.idempotent.store.ClaimRequest.Admission;
import io.idempotent.store.ClaimRequest.Lapsed;
import io.idempotent.store.ClaimRequest.Term;
import io.idempotent.store.local.LocalIdempotencyStore;
import org.jetbrains.lincheck.datastructures.BooleanGen;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.StressOptions;
import org.junit.jupiter.api.Test;

/**
 * Every interleaving of a few words about two keys gives answers that some order of the
 * same words gives too. Time stands still: a lease lapses by being given up.
 */
@Param(name = "key", gen = IntGen.class, conf = "0:1")
@Param(name = "owner", gen = IntGen.class, conf = "1:3")
@Param(name = "attempt", gen = IntGen.class, conf = "1:2")
@Param(name = "takeOver", gen = BooleanGen.class)
@Param(name = "unknown", gen = BooleanGen.class)
public class LincheckLocalStoreTests {

	private static final Duration LEASE = Duration.ofSeconds(1);

	private static final Duration RETENTION = Duration.ofMinutes(1);

	private static final Fingerprint FINGERPRINT = new Fingerprint(Digest.sha256().add("content").build());

	private static final List<OperationKey> KEYS = List.of(key("one"), key("two"));

	/**
	 * Far from full: at its bound a store may refuse a record that would just have
	 * fitted, while another thread is about to take or leave the last place.
	 */
	private final LocalIdempotencyStore store = new LocalIdempotencyStore(1_000, () -> 0);

	private static OperationKey key(String value) {
		return OperationKey.of("test", "operation", List.of(), value);
	}

	private static ClaimId claimId(int key, int owner, int attempt) {
		return new ClaimId(KEYS.get(key), new Owner(0, owner), FINGERPRINT, attempt);
	}

	@Operation
	public void issue(@Param(name = "key") int key) {
		this.store.issue(KEYS.get(key), RETENTION);
	}

	@Operation
	public String claim(@Param(name = "key") int key, @Param(name = "owner") int owner,
			@Param(name = "takeOver") boolean takeOver) {
		return this.store
			.claim(new ClaimRequest(KEYS.get(key), new Owner(0, owner), FINGERPRINT, LEASE, RETENTION, Admission.OPEN,
					takeOver ? Lapsed.TAKE_OVER : Lapsed.LEAVE, Term.LEASED, false))
			.toString();
	}

	@Operation
	public Ownership renew(@Param(name = "key") int key, @Param(name = "owner") int owner,
			@Param(name = "attempt") int attempt) {
		return this.store.renew(claimId(key, owner, attempt), LEASE);
	}

	@Operation
	public Ownership complete(@Param(name = "key") int key, @Param(name = "owner") int owner,
			@Param(name = "attempt") int attempt) {
		return this.store.complete(claimId(key, owner, attempt), Outcome.TOMBSTONE, RETENTION);
	}

	@Operation
	public Ownership release(@Param(name = "key") int key, @Param(name = "owner") int owner,
			@Param(name = "attempt") int attempt, @Param(name = "unknown") boolean unknown) {
		return this.store.release(claimId(key, owner, attempt), unknown ? Release.UNKNOWN : Release.NO_EFFECT);
	}

	@Test
	void everyInterleavingIsLinearizable() {
		new ModelCheckingOptions().threads(2)
			.actorsPerThread(3)
			.actorsBefore(1)
			.actorsAfter(1)
			.iterations(30)
			.invocationsPerIteration(500)
			.check(LincheckLocalStoreTests.class);
	}

	@Test
	void threadsInParallelAreLinearizable() {
		new StressOptions().threads(3)
			.actorsPerThread(3)
			.actorsBefore(1)
			.actorsAfter(1)
			.iterations(20)
			.invocationsPerIteration(1_000)
			.check(LincheckLocalStoreTests.class);
	}

}
