package io.idempotent.programs;

import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicLong;

import io.idempotent.programs.Statement.Around;
import io.idempotent.programs.Statement.Call;
import io.idempotent.programs.Statement.Tx;
import io.idempotent.transaction.TransactionScope;

import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * One program at work: what its threads share.
 */
final class Play {

	private static final AtomicLong IDS = new AtomicLong();

	private final long id = IDS.incrementAndGet();

	private final AtomicLong rows = new AtomicLong();

	private final Program program;

	private final World world;

	private final Executor executor;

	private final Oracle oracle;

	private final Judge judge;

	private final Set<Statement> reached = Collections.newSetFromMap(new IdentityHashMap<>());

	private final Map<String, byte[]> operationKeys = new HashMap<>();

	private boolean locks;

	/**
	 * Prepares a program.
	 * @param program the program
	 * @param world where it runs
	 * @param executor runs what is done meanwhile
	 */
	Play(Program program, World world, Executor executor) {
		this.program = program;
		this.world = world;
		this.executor = executor;
		this.oracle = new Oracle(program.receipts(), program.keys());
		this.judge = new Judge(this.oracle);
	}

	/**
	 * Runs the program on the current thread.
	 * @return what may not have come of it
	 */
	List<Deviation> run() {
		Player player = new Player(this, 0, new Strand("first node"));
		try {
			player.attempt(this.program.statements());
			probe(player);
			compare();
			lookForLeaks();
		}
		finally {
			this.world.store().away(false);
			this.world.forgetTransactions();
		}
		return this.oracle.deviations();
	}

	/** Calls each key once more on either node. */
	private void probe(Player player) {
		for (Map.Entry<String, Entrance> key : this.program.keys().entrySet()) {
			Statement writing = Tx.of(Propagation.REQUIRED, Statement.Simple.WRITE);
			Statement call = new Call(key.getKey(), List.of(writing));
			Statement probe = (key.getValue() == Entrance.MANDATORY) ? Tx.of(Propagation.REQUIRED, call) : call;
			player.attempt(List.of(probe));
			player.attempt(List.of(Around.of(Around.Kind.MEANWHILE, probe)));
		}
	}

	private void compare() {
		this.oracle.settle();
		String sql = "select id from effect where program = ?";
		Set<Long> present = new HashSet<>(this.world.sql().queryForList(sql, Long.class, this.id));
		Set<String> receipts = new HashSet<>();
		if (this.program.receipts()) {
			this.operationKeys.forEach((key, digest) -> {
				Integer count = this.world.sql()
					.queryForObject("select count(*) from idempotent_receipt where operation_key = ?", Integer.class,
							digest);
				if (count != null && count > 0) {
					receipts.add(key);
				}
			});
		}
		this.oracle.compare(present, receipts);
	}

	private void lookForLeaks() {
		if (this.world.leaksConnections()) {
			this.oracle.deviates(Kind.LEAK, this.world.activeConnections() + " connections were not given back");
		}
		// Forgets a completed transaction whose end Spring has not reported.
		TransactionScope.current();
		if (!TransactionSynchronizationManager.getResourceMap().isEmpty()
				|| TransactionSynchronizationManager.isSynchronizationActive()) {
			this.oracle.deviates(Kind.LEAK,
					"The thread is left with " + TransactionSynchronizationManager.getResourceMap());
		}
		if (this.locks) {
			new Player(this, 0, new Strand("locks")).meanwhile((other) -> {
				for (int node = 0; node < 2; node++) {
					if (!this.world.node(node).isFree(lockName(node))) {
						this.oracle.deviates(Kind.LEAK, "The lock of node " + node + " was not given back");
					}
				}
			});
		}
	}

	World world() {
		return this.world;
	}

	Oracle oracle() {
		return this.oracle;
	}

	Judge judge() {
		return this.judge;
	}

	long nextRow() {
		return this.rows.incrementAndGet();
	}

	long id() {
		return this.id;
	}

	/** The key of an operation in this program alone. */
	String keyOf(KeyModel key) {
		return this.id + "-" + key.name();
	}

	void named(KeyModel key, byte[] digest) {
		this.operationKeys.put(key.name(), digest);
	}

	/**
	 * The tokens of two local engines do not compare: each node has a lock of its own.
	 */
	String lockName(int node) {
		return "programs-" + this.id + "-" + node;
	}

	void locks() {
		this.locks = true;
	}

	/** Whether a statement is reached for the first time. */
	boolean isFirst(Statement statement) {
		return this.reached.add(statement);
	}

	void elsewhere(Runnable work) {
		CompletableFuture.runAsync(work, this.executor).join();
	}

}
