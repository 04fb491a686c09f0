package io.idempotent.webmvc;

import java.io.IOException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;

import io.idempotent.Refusal;
import io.idempotent.SubmissionRefusedException;
import io.idempotent.engine.Claim;
import io.idempotent.engine.Decision;
import io.idempotent.engine.EffectStatus;
import io.idempotent.engine.Submission;
import io.idempotent.engine.SubmissionContext;
import io.idempotent.function.ThrowingSupplier;
import io.idempotent.store.Fingerprint;
import io.idempotent.store.Outcome;
import io.idempotent.transaction.TransactionOutcome;
import jakarta.servlet.http.HttpServletRequest;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * One request to an idempotent operation, from the reading of its key to the sending of
 * its answer.
 */
final class HttpSubmission {

	private static final Log logger = LogFactory.getLog(HttpSubmission.class);

	/** Names the exchange among the attributes of the invocation that belongs to it. */
	static final String ATTRIBUTE = HttpSubmission.class.getName();

	private final Operation operation;

	private final HttpSubmitter entrance;

	private final Fingerprint fingerprint;

	private final @Nullable String sentKey;

	private final DeferredResponse response;

	private final AtomicBoolean finished = new AtomicBoolean();

	private final SubmissionContext context;

	private @Nullable Decision decision;

	private @Nullable StoredResponse replay;

	private boolean authorized;

	private final SubmissionProgress progress = new SubmissionProgress();

	HttpSubmission(Operation operation, HttpSubmitter entrance, Fingerprint fingerprint, @Nullable String sentKey,
			DeferredResponse response) {
		this.operation = operation;
		this.entrance = entrance;
		this.fingerprint = fingerprint;
		this.sentKey = sentKey;
		this.response = response;
		this.context = new SubmissionContext(operation.name(), entrance.gate());
	}

	Operation handledBy() {
		return this.operation;
	}

	Fingerprint fingerprint() {
		return this.fingerprint;
	}

	/**
	 * The key where no expression makes one from the arguments.
	 * @return what the caller sent, or else the content itself
	 */
	String keyWithoutArguments() {
		return (this.sentKey != null) ? this.sentKey : this.fingerprint.digest().encoded();
	}

	HttpSubmitter entrance() {
		return this.entrance;
	}

	/**
	 * What becomes of the operation.
	 * @return how far it has come
	 */
	SubmissionProgress progress() {
		return this.progress;
	}

	SubmissionContext context() {
		return this.context;
	}

	/**
	 * Whether the claim is still to be made, by the call itself.
	 * @return whether nothing was decided yet
	 */
	boolean isUndecided() {
		return this.decision == null;
	}

	boolean isReplay() {
		return this.replay != null;
	}

	/**
	 * Acts on what the gate decided.
	 * @param request the request
	 * @param submission what was submitted
	 * @param taken the decision
	 * @throws SubmissionRefusedException if it was refused
	 */
	void decide(HttpServletRequest request, Submission submission, Decision taken) {
		this.decision = taken;
		this.context.decided(submission, taken);
		if (taken.claim() != null) {
			this.response.arm(this.entrance.settings().maxResponseBody());
		}
		else if (taken instanceof Decision.Replay stored) {
			this.replay = decode(stored.answer(), submission);
		}
		requireNotRefused();
		authorizeReplay(request);
	}

	private void authorizeReplay(HttpServletRequest request) {
		if (this.context.isReplay() && !this.authorized) {
			this.entrance.authorizeReplay(this.context, request);
			this.authorized = true;
		}
	}

	/**
	 * Stops a call that must not run the operation, however often it is tried.
	 * @param request the request
	 * @throws ReplayException if there is an answer instead
	 * @throws SubmissionRefusedException if it was refused
	 */
	void requireRun(HttpServletRequest request) {
		requireNotRefused();
		authorizeReplay(request);
		if (this.decision instanceof Decision.Replay) {
			throw new ReplayException();
		}
	}

	/**
	 * Runs the operation, or what takes its place.
	 * @param arguments the arguments of the call
	 * @param call the operation
	 * @return its result
	 * @throws Throwable what it throws
	 * @throws SubmissionRefusedException if it took effect in another attempt whose
	 * answer is not to be had
	 */
	@Nullable Object run(@Nullable Object[] arguments, ThrowingSupplier<@Nullable Object, Throwable> call) throws Throwable {
		Decision taken = this.decision;
		if (taken == null) {
			throw new IllegalStateException("Nothing was decided");
		}
		return new OperationCall(this.operation, this.entrance, this.response).run(taken, this.context, arguments,
				call);
	}

	/**
	 * The body of the handler method begins, inside of its transaction.
	 * @param transactions what becomes of the transactions that are open now
	 */
	void beginsWithin(Supplier<@Nullable TransactionOutcome> transactions) {
		EffectStatus effect = (this.decision != null) ? this.decision.effect() : null;
		this.entrance.gate().begins(effect);
		this.progress.beginsWithin(() -> {
			TransactionOutcome guarded = (effect != null) ? effect.scope() : null;
			return (guarded != null) ? guarded : transactions.get();
		});
	}

	private void requireNotRefused() {
		if (this.decision instanceof Decision.Refused refused) {
			throw new SubmissionRefusedException(refused.reason(), this.operation.name());
		}
	}

	private StoredResponse decode(Outcome.Stored stored, Submission submission) {
		try {
			return StoredResponse.decode(stored.answer());
		}
		catch (IllegalArgumentException ex) {
			logger.error("The stored answer of operation '" + this.operation.name() + "' (key " + submission.key()
					+ ") cannot be read: the submission is refused", ex);
			throw new SubmissionRefusedException(Refusal.RECORD_UNREADABLE, this.operation.name());
		}
	}

	/**
	 * The asynchronous result has come. That of a duplicate does not count, whatever the
	 * operation made of the refusal.
	 * @param result the result, or what was thrown
	 * @throws SubmissionRefusedException if the effect was there before
	 */
	void resumes(@Nullable Object result) {
		if (!this.context.isDuplicate()) {
			this.progress.resumes(result);
			return;
		}
		SubmissionRefusedException refused = new SubmissionRefusedException(Refusal.RESPONSE_UNAVAILABLE,
				this.operation.name());
		this.progress.resumes(refused);
		throw refused;
	}

	/**
	 * The operation returned an answer that has no end to be recorded: what is written
	 * goes to the client, and the record becomes a tombstone.
	 * @throws IOException if the client is gone
	 */
	void streams() throws IOException {
		this.progress.losesAnswer();
		BufferedResponse held = this.response.held();
		if (held != null) {
			held.pass();
		}
	}

	/**
	 * Something threw while the request was handled. After the operation has returned
	 * that concerns its answer only.
	 */
	void handlingFails() {
		this.progress.handlingFails();
		BufferedResponse held = this.response.held();
		if (held != null) {
			held.reopen();
		}
	}

	/**
	 * Something else than the operation is going to write the answer.
	 */
	void restartsAnswer() {
		BufferedResponse held = this.response.held();
		if (held != null) {
			held.restart();
		}
	}

	/**
	 * Writes the stored answer.
	 * @param request the request
	 * @throws IOException if the client is gone
	 */
	void writeReplay(HttpServletRequest request) throws IOException {
		StoredResponse answer = this.replay;
		if (answer == null) {
			throw new IllegalStateException("There is no answer to replay");
		}
		restartsAnswer();
		answer.writeTo(this.response, this.entrance.settings().replayedHeader(), request.getMethod().equals("HEAD"));
	}

	/**
	 * Ends the exchange: the outcome is recorded first, then the answer is sent. Further
	 * calls do nothing.
	 * @param request the request
	 * @param thrown what the request ended with, or {@code null}
	 * @throws IOException if the client is gone, after the outcome was recorded
	 */
	void finish(HttpServletRequest request, @Nullable Throwable thrown) throws IOException {
		if (!this.finished.compareAndSet(false, true)) {
			return;
		}
		if (thrown != null) {
			handlingFails();
		}
		Claim claim = (this.decision != null) ? this.decision.claim() : null;
		if (claim != null) {
			new HttpSubmissionEnd(this.operation, this.entrance, this.context, this.response, this.progress)
				.record(claim, request, thrown);
		}
		if (thrown != null) {
			this.response.discard();
		}
		else {
			this.response.send();
		}
	}

}
