package io.idempotent.programs;

import java.util.Base64;
import java.util.List;

import io.idempotent.SubmissionRefusedException;
import io.idempotent.lock.LockNotObtainedException;
import io.idempotent.programs.Statement.Call;
import org.jspecify.annotations.Nullable;

import org.springframework.transaction.IllegalTransactionStateException;
import org.springframework.transaction.interceptor.TransactionAspectSupport;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Makes the calls of one thread, and tells the oracle what came of them.
 */
final class Caller {

	private final Player player;

	private final Play play;

	private final Node node;

	private final Strand strand;

	private int parts;

	Caller(Player player, Play play, Node node, Strand strand) {
		this.player = player;
		this.play = play;
		this.node = node;
		this.strand = strand;
	}

	void call(Call call) {
		KeyModel key = this.play.oracle().key(call.key());
		if (key.entrance() == Entrance.HTTP
				&& (this.strand.innermost() != null || !TransactionSynchronizationManager.getResourceMap().isEmpty()
						|| TransactionSynchronizationManager.isSynchronizationActive())) {
			// A request begins on a thread of its own.
			return;
		}
		Expectation expected = this.play.oracle().expect(key, this.strand, this.play.world().live());
		Calling calling = new Calling();
		Answer answer;
		this.strand.entering(key.entrance());
		try {
			answer = Answer.returned(this.node.call(key.entrance(), this.play.keyOf(key),
					(operationKey) -> body(call, key, operationKey, expected, calling)));
		}
		catch (RuntimeException | Error ex) {
			answer = Answer.threw(ex);
		}
		finally {
			if (calling.run != null) {
				this.strand.leave();
			}
		}
		ended(key, expected, calling, answer);
		if (answer.failure() != null) {
			throw Thrown.rethrow(this.player.spoiling(answer.failure()));
		}
	}

	private String body(Call call, KeyModel key, String operationKey, Expectation expected, Calling calling) {
		String value;
		if (expected.joined() != null) {
			value = key.name() + "~" + ++this.parts;
			calling.part = value;
		}
		else {
			calling.run = this.play.oracle().begin(key, expected, this.strand, this.play.world().scope());
			if (this.play.world().isCompleting()) {
				key.receipt().missing();
				if (!calling.run.scope().isEmpty()) {
					calling.run.ambiguous();
				}
			}
			value = calling.run.value();
			this.strand.enter(calling.run);
			this.play.named(key, Base64.getUrlDecoder().decode(operationKey));
		}
		if (key.entrance().isTransactional()) {
			this.player.inside(TransactionAspectSupport.currentTransactionStatus(), call.body());
		}
		else {
			this.player.run(call.body());
		}
		if (calling.run != null) {
			calling.run.bodyReturned();
		}
		return value;
	}

	private void ended(KeyModel key, Expectation expected, Calling calling, Answer answer) {
		Throwable failure = answer.failure();
		if (calling.part != null) {
			if (failure != null) {
				this.play.judge().judge(failure, this.strand, "A part of " + key.name());
			}
			else if (!key.entrance().isVoid() && !calling.part.equals(answer.value())) {
				this.play.oracle()
					.deviates(Kind.WRONG_VALUE, "A part of " + key.name() + " answered '" + answer.value() + "'");
			}
			return;
		}
		if (calling.run == null && failure instanceof IllegalTransactionStateException
				&& this.strand.isEnteringStrictly()) {
			this.play.judge().accept(failure);
			if (expected.joined() == null) {
				// It was never entered, so that it has no scope.
				this.play.oracle().ended(this.play.oracle().begin(key, expected, this.strand, List.of()), answer);
			}
			return;
		}
		if (calling.run == null) {
			if (failure != null && !(failure instanceof SubmissionRefusedException)) {
				this.play.judge().judge(failure, this.strand, "A call of " + key.name());
				this.play.oracle().notEntered(key);
				return;
			}
			this.play.oracle().answered(key, expected, answer);
			if (failure != null) {
				this.play.judge().accept(failure);
			}
			return;
		}
		if (failure != null) {
			this.play.judge().judge(failure, this.strand, "A run of " + key.name());
		}
		if (key.entrance() == Entrance.HTTP && (failure instanceof RejectedException
				|| failure instanceof SubmissionRefusedException || failure instanceof LockNotObtainedException)) {
			calling.run.rejected(failure instanceof RejectedException);
		}
		this.play.oracle().ended(calling.run, answer);
	}

	/**
	 * What a call came to run.
	 */
	private static final class Calling {

		private @Nullable Run run;

		private @Nullable String part;

	}

}
