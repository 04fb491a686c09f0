package io.idempotent.programs;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

import org.springframework.transaction.TransactionStatus;
import org.springframework.transaction.annotation.Isolation;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Does on one thread and one node what statements say, and tells the oracle.
 */
final class Player {

	private static final int TRIES = 3;

	private final Play play;

	private final World world;

	private final Oracle oracle;

	private final int index;

	private final Node node;

	private final Strand strand;

	private final Deque<TransactionStatus> statuses = new ArrayDeque<>();

	private final Caller caller;

	Player(Play play, int index, Strand strand) {
		this.play = play;
		this.world = play.world();
		this.oracle = play.oracle();
		this.index = index;
		this.node = this.world.node(index);
		this.strand = strand;
		this.caller = new Caller(this, play, this.node, strand);
	}

	/**
	 * Runs statements, whatever they throw.
	 * @param statements the statements
	 */
	void attempt(List<Statement> statements) {
		this.world.play(new World.Playing(this.strand, this.oracle));
		try {
			run(statements);
		}
		catch (RuntimeException | Error ex) {
			this.play.judge().judge(ex, this.strand, "The program");
		}
		finally {
			this.world.play(null);
		}
	}

	void run(List<Statement> statements) {
		statements.forEach(this::run);
	}

	private void run(Statement statement) {
		if (statement instanceof Statement.Simple simple) {
			run(simple);
		}
		else if (statement instanceof Statement.Throw thrown) {
			if (!thrown.once() || this.play.isFirst(thrown)) {
				throw Thrown.rethrow(planned(thrown.thrown().create()));
			}
		}
		else if (statement instanceof Statement.FailCommit fail) {
			if (this.play.isFirst(fail)) {
				this.world.failCommit(fail.fault());
			}
		}
		else if (statement instanceof Statement.Around around) {
			run(around.kind(), around.body());
		}
		else if (statement instanceof Statement.Call call) {
			this.caller.call(call);
		}
		else if (statement instanceof Statement.Tx tx) {
			transaction(tx);
		}
		else if (statement instanceof Statement.Publish publish) {
			this.node
				.publish(new Event(publish.moment(), publish.ordered(), callback(publish.moment(), publish.body())));
		}
		else if (statement instanceof Statement.Synchronize synchronize) {
			if (TransactionSynchronizationManager.isSynchronizationActive()) {
				Runnable work = callback(synchronize.moment(), synchronize.body());
				TransactionSynchronizationManager.registerSynchronization(new Callback(synchronize.moment(), work));
			}
		}
		else {
			lock((Statement.Lock) statement);
		}
	}

	private void run(Statement.Simple statement) {
		switch (statement) {
			case WRITE -> write();
			case WRITE_UNIQUE -> writeUnique();
			case REJECT -> throw Thrown.rethrow(planned(new RejectedException()));
			case ROLLBACK_ONLY -> rollbackOnly();
			case TIME_OUT -> {
				if (this.world.timeOut()) {
					this.strand.timedOut();
				}
			}
			case NO_CONNECTION -> {
				this.world.exhaust();
				this.strand.exhaust();
			}
			case FLUSH -> {
				this.oracle.flush();
				this.world.store().flush();
			}
			case LAPSE -> {
				this.oracle.lapse();
				this.world.lapse();
			}
		}
	}

	private void run(Statement.Around.Kind kind, List<Statement> body) {
		switch (kind) {
			case CATCH -> caught(body);
			case RETRY -> retry(body);
			case SAVEPOINT -> savepoint(body);
			case AWAY -> away(body);
			case MEANWHILE -> meanwhile((other) -> other.attempt(body));
		}
	}

	private Throwable planned(Throwable failure) {
		this.play.judge().plan(failure);
		return spoiling(failure);
	}

	<X extends Throwable> X spoiling(X failure) {
		this.strand.spoil();
		this.world.live().forEach(Transaction::spoil);
		return failure;
	}

	private void write() {
		for (boolean guarded : new boolean[] { true, false }) {
			Transaction transaction = this.world.writable(guarded);
			if (transaction != null) {
				long row = this.play.nextRow();
				judged("A write", () -> this.world.inTransaction(guarded)
					.update("insert into effect values (?, ?)", this.play.id(), row));
				if (guarded) {
					this.oracle.wrote(row, transaction, this.strand.innermost());
				}
				return;
			}
		}
	}

	private void writeUnique() {
		Transaction transaction = this.world.writable(true);
		Run run = this.strand.innermost();
		if (transaction == null) {
			return;
		}
		String name = this.play.id() + "-" + ((run != null) ? run.key().name() : "none");
		try {
			this.world.inTransaction(true).update("insert into sole_effect values (?)", name);
		}
		catch (RuntimeException ex) {
			// It is there, or its own transaction, suspended, may have written it.
			this.play.judge().accept(ex);
			transaction.abort();
			throw Thrown.rethrow(spoiling(ex));
		}
		write();
	}

	private void judged(String where, Runnable work) {
		try {
			work.run();
		}
		catch (RuntimeException | Error ex) {
			this.play.judge().judge(ex, this.strand, where);
			throw Thrown.rethrow(spoiling(ex));
		}
		finally {
			this.oracle.settle();
		}
	}

	private void rollbackOnly() {
		TransactionStatus status = this.statuses.peek();
		if (status != null && !status.isCompleted()) {
			this.strand.spoil();
			this.world.live().forEach(Transaction::spoil);
			status.setRollbackOnly();
		}
	}

	/**
	 * Not where Spring does not say whose savepoint it is, or says nothing: inside of
	 * several transactions, and after the completion of one.
	 */
	private void savepoint(List<Statement> body) {
		TransactionStatus status = this.statuses.peek();
		Set<Transaction> live = this.world.live();
		if (status == null || live.size() != 1 || !live.contains(this.world.transactionOf(status))
				|| !TransactionSynchronizationManager.isSynchronizationActive()) {
			run(body);
			return;
		}
		judged("A savepoint", () -> {
			Object savepoint = status.createSavepoint();
			try {
				run(body);
			}
			finally {
				status.rollbackToSavepoint(savepoint);
			}
		});
	}

	private void transaction(Statement.Tx tx) {
		TransactionTemplate template = new TransactionTemplate(this.node.manager(tx.manager()));
		template.setPropagationBehavior(tx.propagation().value());
		template.setIsolationLevel(tx.isolation().value());
		template.setReadOnly(tx.readOnly());
		if (tx.isolation() != Isolation.DEFAULT) {
			this.strand.isolated();
		}
		judged("A transaction", () -> template.executeWithoutResult((status) -> inside(status, tx.body())));
	}

	void inside(TransactionStatus status, List<Statement> body) {
		this.statuses.push(status);
		try {
			run(body);
		}
		finally {
			this.statuses.pop();
		}
	}

	private Runnable callback(Moment moment, List<Statement> body) {
		return () -> {
			if (moment.isBefore()) {
				this.world.live().forEach(Transaction::committing);
			}
			Runnable work = () -> judged("A callback", () -> run(body));
			if (moment.isBefore()) {
				work.run();
			}
			else {
				this.strand.afterCompletion(work);
			}
		};
	}

	private void lock(Statement.Lock lock) {
		this.play.locks();
		boolean open = this.world.writable(true) != null;
		int begun = this.strand.begunWritable();
		boolean[] ended = new boolean[1];
		try {
			this.node.lock(lock, this.play.lockName(this.index), () -> {
				run(lock.body());
				ended[0] = true;
			});
		}
		catch (IllegalStateException ex) {
			if (ended[0] && lock.fenced() && !open && begun == this.strand.begunWritable()) {
				this.play.judge().accept(ex);
			}
			this.play.judge().judge(ex, this.strand, "A lock");
			throw Thrown.rethrow(spoiling(ex));
		}
		catch (RuntimeException | Error ex) {
			this.play.judge().judge(ex, this.strand, "A lock");
			throw Thrown.rethrow(spoiling(ex));
		}
	}

	private void caught(List<Statement> body) {
		try {
			run(body);
		}
		catch (RuntimeException | Error ex) {
			this.play.judge().judge(ex, this.strand, "A block");
		}
	}

	private void retry(List<Statement> body) {
		for (int i = 1; i < TRIES; i++) {
			try {
				run(body);
				return;
			}
			catch (RuntimeException | Error ex) {
				this.play.judge().judge(ex, this.strand, "A try");
			}
		}
		run(body);
	}

	private void away(List<Statement> body) {
		boolean before = this.oracle.isAway();
		this.oracle.away(true);
		this.world.store().away(true);
		try {
			run(body);
		}
		finally {
			this.oracle.away(before);
			this.world.store().away(before);
		}
	}

	/**
	 * Lets the other node do something on another thread, and waits for it.
	 * @param work what it does
	 */
	void meanwhile(Consumer<Player> work) {
		Player other = new Player(this.play, 1 - this.index, new Strand("other node", true));
		this.play.elsewhere(() -> work.accept(other));
	}

}
