package io.idempotent.jdbc.store;

import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

import io.idempotent.jdbc.ShortStatements;
import io.idempotent.store.StoreUnavailableException;
import org.jspecify.annotations.Nullable;

/**
 * Executes one statement for concurrent callers in one round trip and one commit. Callers
 * that arrive while a statement is executed form the next group, which one of their
 * threads executes. A caller without company executes the statement alone, at once. So
 * does one that has waited for too long, so that a connection that does not respond does
 * not stop everyone. Interrupts do not end the wait.
 *
 * <p>
 * It pays while a commit takes long and a pool is small: 64 threads claim and complete
 * 3.6 times as much on a PostgreSQL that flushes each commit to a slow disk with the 10
 * connections of a default pool (1.8 to 7.0 times in 13 rounds), 1.6 times with 20 (1.2
 * to 2.8), and as much with 32. Where commits cost nothing, it is 0.7 times.
 */
final class GroupCommit {

	/** Longer than a commit, shorter than a timeout. */
	static final Duration PATIENCE = Duration.ofMillis(100);

	private static final int LARGEST = 64;

	private final ShortStatements database;

	private final String what;

	private final Duration patience;

	private final Queue<Member> waiting = new ArrayDeque<>();

	private boolean executing;

	/**
	 * Creates it.
	 * @param what what a group does, for failures
	 * @param patience how long a caller waits for its group
	 */
	GroupCommit(ShortStatements database, String what, Duration patience) {
		this.database = database;
		this.what = what;
		this.patience = patience;
	}

	/**
	 * Executes the statement with these arguments.
	 * @param sql what a group executes, the same for all callers. It must fail if it
	 * waits for long for a row that others have locked: each member then executes it
	 * alone
	 * @param key of the row. Groups lock rows in the order of their keys, so that two of
	 * them do not block each other
	 * @param alone executes the statement for this caller only
	 * @return whether a row was changed; {@code false} also if the driver does not tell
	 * @throws StoreUnavailableException if the database did not answer
	 */
	boolean update(String sql, byte[] key, @Nullable Object[] arguments, BooleanSupplier alone) {
		Member member = new Member(key, arguments, alone);
		if (enter(member)) {
			return lead(alone);
		}
		BooleanSupplier next = await(member);
		return member.leads ? lead(() -> execute(sql, member)) : next.getAsBoolean();
	}

	private BooleanSupplier await(Member member) {
		BooleanSupplier next = null;
		try {
			next = member.await(this.patience.toNanos());
			if (next == null) {
				next = leave(member) ? member.alone : Objects.requireNonNull(member.await(Long.MAX_VALUE));
			}
			return next;
		}
		finally {
			if (next == null) {
				abandon(member);
			}
		}
	}

	/** After an error: nobody else would lead. */
	private void abandon(Member member) {
		if (!leave(member) && member.leads) {
			appointNext();
		}
	}

	/** Whether nobody executes the statement. */
	private synchronized boolean enter(Member member) {
		if (this.executing) {
			this.waiting.add(member);
			return false;
		}
		this.executing = true;
		return true;
	}

	private synchronized boolean leave(Member member) {
		return this.waiting.remove(member);
	}

	private boolean lead(BooleanSupplier work) {
		try {
			return work.getAsBoolean();
		}
		finally {
			appointNext();
		}
	}

	private synchronized void appointNext() {
		Member leader = this.waiting.poll();
		this.executing = leader != null;
		if (leader != null) {
			leader.leads = true;
			leader.tell(leader.alone);
		}
	}

	private synchronized void gather(List<Member> group) {
		while (!this.waiting.isEmpty() && group.size() < LARGEST) {
			group.add(this.waiting.remove());
		}
	}

	private boolean execute(String sql, Member leader) {
		List<Member> group = new ArrayList<>(LARGEST);
		group.add(leader);
		List<BooleanSupplier> results = List.of();
		try {
			gather(group);
			if (group.size() == 1) {
				return leader.alone.getAsBoolean();
			}
			group.sort(Comparator.comparing((member) -> member.key, Arrays::compareUnsigned));
			List<Object[]> arguments = group.stream().map((member) -> member.arguments).toList();
			int[] changed = this.database.runOnce(this.what, (session) -> session.updateAll(sql, arguments));
			results = Arrays.stream(changed).<BooleanSupplier>mapToObj((rows) -> () -> rows == 1).toList();
		}
		catch (StoreUnavailableException ex) {
			results = isOutage(ex) ? Collections.nCopies(group.size(), failed(ex)) : List.of();
		}
		finally {
			for (int i = 0; i < group.size(); i++) {
				group.get(i).tell(results.isEmpty() ? group.get(i).alone : results.get(i));
			}
		}
		return Objects.requireNonNull(leader.next).getAsBoolean();
	}

	private static boolean isOutage(StoreUnavailableException failure) {
		// An interrupt of the leader ends its wait for a connection, and closes the
		// socket of its connection on a virtual thread.
		return !Thread.currentThread().isInterrupted() && failure.getCause() instanceof SQLException cause
				&& ShortStatements.isOutage(cause);
	}

	private static BooleanSupplier failed(StoreUnavailableException failure) {
		String message = String.valueOf(failure.getMessage());
		return () -> {
			throw failure.mayHaveTakenEffect() ? new StoreUnavailableException(message, failure)
					: StoreUnavailableException.withoutEffect(message, failure);
		};
	}

	private static final class Member {

		private final byte[] key;

		private final @Nullable Object[] arguments;

		private final BooleanSupplier alone;

		private final CountDownLatch told = new CountDownLatch(1);

		/** Whether it executes the next group, which tells its result. */
		private volatile boolean leads;

		/** What it does after it has waited, and returns. */
		private volatile @Nullable BooleanSupplier next;

		Member(byte[] key, @Nullable Object[] arguments, BooleanSupplier alone) {
			this.key = key;
			this.arguments = arguments;
			this.alone = alone;
		}

		void tell(BooleanSupplier what) {
			this.next = what;
			this.told.countDown();
		}

		/**
		 * Waits through interrupts; null if nothing was told in time. Not by a future: on
		 * a thread of a ForkJoinPool its join runs other tasks.
		 */
		@Nullable BooleanSupplier await(long nanos) {
			long end = System.nanoTime() + nanos;
			boolean interrupted = false;
			try {
				while (true) {
					try {
						return this.told.await(end - System.nanoTime(), TimeUnit.NANOSECONDS) ? this.next : null;
					}
					catch (InterruptedException ex) {
						interrupted = true;
					}
				}
			}
			finally {
				if (interrupted) {
					Thread.currentThread().interrupt();
				}
			}
		}

	}

}
