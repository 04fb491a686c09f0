package io.idempotent.submission;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Stream;

import io.idempotent.IdempotencyListener;
import io.idempotent.OutcomeVerifier;
import io.idempotent.SubmissionRefusedException;
import io.idempotent.WhenUnknown;
import io.idempotent.logging.Outage;
import io.idempotent.store.IdempotencyStore;
import io.idempotent.store.OperationKey;
import io.idempotent.store.Origin;
import io.idempotent.store.Outcome;
import io.idempotent.store.OutcomeCache;
import io.idempotent.store.Owner;
import io.idempotent.store.RecordEncryption;
import io.idempotent.store.StoreUnavailableException;
import io.idempotent.store.WakeUps;
import io.idempotent.submission.claim.Claim;
import io.idempotent.submission.claim.Claims;
import io.idempotent.submission.claim.Submission;
import io.idempotent.submission.event.IdempotencyListeners;
import io.idempotent.submission.event.SubmissionObserver;
import io.idempotent.submission.event.SubmissionObserver.Entrance;
import io.idempotent.submission.event.SubmissionObserver.SubmissionObservation;
import io.idempotent.submission.event.WatchedStore;
import io.idempotent.submission.policy.OperationPolicy;
import io.idempotent.submission.receipt.OperationReceipts;
import io.idempotent.submission.receipt.Receipts;
import org.jspecify.annotations.Nullable;

/**
 * The state machine of idempotent operations: asks the near cache, the store, the receipt
 * and the application about a submission, and waits for their answers.
 *
 * <pre>
 * absent ──issue──▶ ISSUED ──claim──▶ IN_PROGRESS ──complete──▶ COMPLETED ──retention──▶ absent
 *    └──────────claim (no token needed)────▲  │ └─release──▶ where it came from
 *                                             └─lease lapses──▶ UNKNOWN ──policy──▶ claim again | refused
 * </pre>
 *
 * <p>
 * Safe for use by several threads. Entering blocks for a call of the store, unless the
 * near cache has the outcome; for further calls if a reply is lost or the submission
 * waits, as long as its policy allows; and after a claim that lapsed, for a lookup of the
 * receipt and the answer of the application. Close the gate after the last operation has
 * ended and before the store is closed.
 */
public final class IdempotencyGate implements AutoCloseable {

	private final Services services;

	IdempotencyGate(Services services) {
		this.services = services;
	}

	/** Blocks for one round trip; throws a {@link StoreUnavailableException}. */
	public void issue(OperationKey key, Duration timeToLive) {
		this.services.store().issue(key, timeToLive);
	}

	/**
	 * Checks whether the store accepts writes. Blocks for one round trip; throws a
	 * {@link StoreUnavailableException} if the store does not answer or refuses.
	 */
	public void checkStore(OperationKey unused, Duration timeToLive) {
		this.services.store().check(unused, timeToLive);
	}

	/** Tells the log that the store failed before a submission needed it. */
	public void storeFailed(String reason) {
		this.services.store().failed(reason);
	}

	/** Makes no remote call. */
	public Status status() {
		Claims claims = this.services.claims();
		return new Status(claims.running().size(), this.services.waitRoom().waiting(), claims.countPending(),
				claims.pendingBytes());
	}

	/**
	 * Decides on a submission, which must be ended. Never throws because of the store. If
	 * it throws, the submission may be entered again. If its stored answer is an error, a
	 * receipt may still prove an effect.
	 */
	public DecidedSubmission enter(Entrance entrance, SubmissionContext context, Submission submission,
			Predicate<Outcome.Stored> isError) {
		return decided(entrance, context, submission, null,
				() -> new Decider(this.services, context.policy(), submission, isError).decide());
	}

	/** Enters a call that may have been claimed early. */
	public DecidedSubmission enterCall(SubmissionContext context, Submission submission, @Nullable EarlyClaims early) {
		return decided(Entrance.METHOD, context, submission, null, () -> {
			Decider decider = decider(context.policy(), submission);
			Decision taken = (early != null) ? early.take(submission.key()) : null;
			return (taken != null) ? decider.publish(taken) : decider.decide();
		});
	}

	/** Enters a call that repeats an earlier one, which decides on it. */
	public DecidedSubmission enterRepeat(SubmissionContext context, Submission submission, DecidedSubmission earlier,
			Supplier<Decision> decide) {
		return decided(Entrance.METHOD, context, submission, earlier, decide);
	}

	private DecidedSubmission decided(Entrance entrance, SubmissionContext context, Submission submission,
			@Nullable DecidedSubmission earlier, Supplier<Decision> decide) {
		SubmissionObservation observation = this.services.observer().start(context.operation(), entrance);
		try {
			DecidedSubmission decided = new DecidedSubmission(this.services, context, observation, submission,
					decide.get(), earlier);
			context.decided(decided);
			return decided;
		}
		catch (Throwable ex) {
			observation.failed(ex);
			observation.end(SubmissionOutcome.UNDECIDED.code());
			throw ex;
		}
	}

	/** Reports the refusal of a submission without a key. */
	public void refusedWithoutKey(SubmissionRefusedException refused) {
		this.services.listeners().refused(refused.operation(), null, refused.refusal());
	}

	/** It is observed as well. */
	public void refusedWithoutKey(SubmissionRefusedException refused, Entrance entrance) {
		refusedWithoutKey(refused);
		this.services.observer().start(refused.operation(), entrance).end(refused.refusal().code());
	}

	/** Never throws because of the store. What is not taken must be closed. */
	public EarlyClaims claimEarly(OperationPolicy policy, List<Submission> submissions) {
		return EarlyClaims.make(submissions, (each) -> decider(policy, each).decideEarly());
	}

	private Decider decider(OperationPolicy policy, Submission submission) {
		return new Decider(this.services, policy, submission, (answer) -> false);
	}

	/** What was recorded, from an outcome as the store has it. */
	public Outcome decrypt(OperationKey key, Outcome stored) {
		return this.services.store().decrypt(key, stored);
	}

	public Stream<OperationKey> runningKeys() {
		return this.services.claims().running().stream().map(Claim::key);
	}

	public boolean isRunning(OperationKey key, Owner owner) {
		return this.services.claims().running().stream().anyMatch((claim) -> claim.isOf(key, owner));
	}

	/** Retries the outcomes that the store has not accepted yet, once, now. */
	public void flush() {
		this.services.claims().flush();
	}

	@Override
	public void close() {
		this.services.claims().close();
	}

	/** The current activity of a gate, for metrics and health. */
	public record Status(int running, int waiting, int pendingWrites, long pendingBytes) {
	}

	/** Only the store is required. */
	public static final class Builder {

		private final IdempotencyStore store;

		private @Nullable WakeUps wakeUps;

		private int maxWaiters = 50;

		private OutcomeCache outcomeCache = OutcomeCache.NONE;

		private @Nullable OutcomeVerifier outcomeVerifier;

		private @Nullable Receipts receipts;

		private RecordEncryption encryption = RecordEncryption.NONE;

		private List<IdempotencyListener> listeners = List.of();

		private SubmissionObserver observer = SubmissionObserver.NONE;

		private Function<String, @Nullable Origin> origins = (operation) -> null;

		public Builder(IdempotencyStore store) {
			this.store = store;
		}

		/** By default, waiting duplicates poll. */
		public Builder wakeUps(@Nullable WakeUps source) {
			this.wakeUps = source;
			return this;
		}

		/** How many duplicates may wait at a time; further ones are refused. */
		public Builder maxWaiters(int number) {
			this.maxWaiters = number;
			return this;
		}

		public Builder outcomeCache(OutcomeCache cache) {
			this.outcomeCache = cache;
			return this;
		}

		/** For {@link WhenUnknown#ASK}. */
		public Builder outcomeVerifier(@Nullable OutcomeVerifier verifier) {
			this.outcomeVerifier = verifier;
			return this;
		}

		public Builder receipts(@Nullable Receipts guard) {
			this.receipts = guard;
			return this;
		}

		/** By default outcomes are not encrypted. */
		public Builder encryption(RecordEncryption records) {
			this.encryption = records;
			return this;
		}

		/** A {@link io.idempotent.submission.event.GateListener} is notified of more. */
		public Builder listeners(List<? extends IdempotencyListener> listeners) {
			this.listeners = List.copyOf(listeners);
			return this;
		}

		public Builder observer(SubmissionObserver submissions) {
			this.observer = submissions;
			return this;
		}

		/** By default no origin is kept. */
		public Builder origin(String namespace, String node) {
			String application = Origin.application(namespace);
			Origin.requireNode(node);
			this.origins = (operation) -> new Origin(application, operation, node, this.observer.currentTrace(),
					Instant.now());
			return this;
		}

		public IdempotencyGate build() {
			IdempotencyListeners notified = new IdempotencyListeners(this.listeners);
			WatchedStore watched = new WatchedStore(this.store, this.encryption, Outage.QUIET, notified);
			OperationReceipts ofOperations = new OperationReceipts(this.receipts, notified::receipt);
			return new IdempotencyGate(new Services(watched, this.outcomeCache, notified, ofOperations,
					new Claims(watched, this.outcomeCache, notified, ofOperations, this.origins),
					new WaitRoom(this.maxWaiters, this.wakeUps), this.outcomeVerifier, this.observer));
		}

	}

	/** What all submissions share. */
	record Services(WatchedStore store, OutcomeCache cache, IdempotencyListeners listeners, OperationReceipts receipts,
			Claims claims, WaitRoom waitRoom, @Nullable OutcomeVerifier verifier, SubmissionObserver observer) {
	}

}
