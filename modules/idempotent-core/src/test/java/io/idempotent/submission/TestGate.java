package io.idempotent.submission;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;

import io.idempotent.IdempotencyEvent;
import io.idempotent.IdempotencyListener;
import io.idempotent.OutcomeVerifier;
import io.idempotent.Refusal;
import io.idempotent.store.ClaimRequest.Admission;
import io.idempotent.store.Fingerprint;
import io.idempotent.store.OperationKey;
import io.idempotent.store.Outcome;
import io.idempotent.store.OutcomeCache;
import io.idempotent.store.local.LocalIdempotencyStore;
import io.idempotent.submission.claim.Claim;
import io.idempotent.submission.claim.End;
import io.idempotent.submission.claim.Submission;
import io.idempotent.submission.event.SubmissionObserver.Entrance;
import io.idempotent.submission.policy.OperationPolicy;
import io.idempotent.submission.receipt.Receipts;
import io.idempotent.support.Digest;
import org.jspecify.annotations.Nullable;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A gate before a real store, whose network fails and whose clock moves as a test wants.
 */
public final class TestGate implements AutoCloseable {

	public static final Outcome.Stored ANSWER = new Outcome.Stored(new byte[] { 42 });

	private final AtomicLong clock = new AtomicLong();

	private final LocalIdempotencyStore records = new LocalIdempotencyStore(1_000, this.clock::get);

	private final FaultyStore store = new FaultyStore(this.records);

	private final List<IdempotencyEvent> events = new CopyOnWriteArrayList<>();

	private final IdempotencyGate gate;

	private TestGate(Options options) {
		List<IdempotencyListener> listeners = new ArrayList<>(options.listeners);
		listeners.add(this.events::add);
		this.gate = new IdempotencyGate.Builder(this.store).wakeUps(options.polling ? null : this.records)
			.maxWaiters(options.maxWaiters)
			.outcomeCache(options.cache)
			.outcomeVerifier(options.verifier)
			.receipts(options.receipts)
			.listeners(listeners)
			.build();
	}

	public static Options that() {
		return new Options();
	}

	public static TestGate opened() {
		return that().opens();
	}

	public static Submission submission(String value) {
		return submission(value, "content");
	}

	public static Submission submission(String value, String content) {
		return new Submission(OperationKey.of("test", TestPolicy.OPERATION, List.of(), value), value,
				new Fingerprint(Digest.sha256().add(content).build()), Admission.OPEN, Duration.ZERO);
	}

	public static Submission withToken(String value) {
		Submission open = submission(value);
		return new Submission(open.key(), value, open.fingerprint(), Admission.ISSUED, Duration.ZERO);
	}

	public IdempotencyGate gate() {
		return this.gate;
	}

	public FaultyStore store() {
		return this.store;
	}

	/** The store without the network between. */
	public LocalIdempotencyStore records() {
		return this.records;
	}

	/** Lets time go by on the store's clock. */
	public void pass(Duration time) {
		this.clock.addAndGet(time.toNanos());
	}

	public Decision enter(Submission submission) {
		return enter(TestPolicy.DEFAULT, submission);
	}

	public Decision enter(OperationPolicy policy, Submission submission) {
		return untimed(decide(this.gate, policy, submission));
	}

	/** Enters any gate. */
	public static Decision decide(IdempotencyGate gate, OperationPolicy policy, Submission submission) {
		return gate.enter(Entrance.METHOD, new SubmissionContext(policy), submission, (answer) -> false).decision();
	}

	/** To compare decisions: what is left of a retention depends on clocks. */
	public static Decision untimed(Decision decision) {
		if (decision instanceof Decision.Replay replay) {
			return new Decision.Replay(replay.answer(), replay.attempt(), replay.origin(), Duration.ZERO);
		}
		if (decision instanceof Decision.Recover recover) {
			return new Decision.Recover(recover.claim(), recover.attempt(), Duration.ZERO);
		}
		return (decision instanceof Decision.Refused refused) ? refused(refused.reason()) : decision;
	}

	public Claim run(Submission submission) {
		return run(TestPolicy.DEFAULT, submission);
	}

	/** Enters and insists on a claim. */
	public Claim run(OperationPolicy policy, Submission submission) {
		return claim(enter(policy, submission));
	}

	/** Enters as an entrance does, which reports how it ended. */
	public DecidedSubmission attempt(OperationPolicy policy, Submission submission) {
		return this.gate.enter(Entrance.METHOD, new SubmissionContext(policy), submission, (answer) -> false);
	}

	public static Claim claim(Decision decision) {
		assertThat(decision).isInstanceOf(Decision.Run.class);
		return ((Decision.Run) decision).claim();
	}

	public static void complete(Claim claim) {
		claim.end(End.completed(ANSWER));
	}

	public static Decision refused(Refusal reason) {
		return new Decision.Refused(reason);
	}

	public static Decision replayed(int attempt) {
		return new Decision.Replay(ANSWER, attempt, null, Duration.ZERO);
	}

	public List<IdempotencyEvent> events() {
		return List.copyOf(this.events);
	}

	public List<IdempotencyEvent.Type> told() {
		return this.events.stream().map(IdempotencyEvent::type).toList();
	}

	@Override
	public void close() {
		this.gate.close();
	}

	public static final class Options {

		private final List<IdempotencyListener> listeners = new ArrayList<>();

		private boolean polling;

		private int maxWaiters = 4;

		private OutcomeCache cache = OutcomeCache.NONE;

		private @Nullable OutcomeVerifier verifier;

		private @Nullable Receipts receipts;

		/** The store does not push. */
		public Options polls() {
			this.polling = true;
			return this;
		}

		public Options seats(int number) {
			this.maxWaiters = number;
			return this;
		}

		public Options remembersIn(OutcomeCache cache) {
			this.cache = cache;
			return this;
		}

		public Options asks(OutcomeVerifier verifier) {
			this.verifier = verifier;
			return this;
		}

		public Options proves(Receipts receipts) {
			this.receipts = receipts;
			return this;
		}

		public Options tells(IdempotencyListener listener) {
			this.listeners.add(listener);
			return this;
		}

		public TestGate opens() {
			return new TestGate(this);
		}

	}

}
