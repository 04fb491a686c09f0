package io.idempotent.programs;

import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

import io.idempotent.Refusal;
import io.idempotent.SubmissionRefusedException;
import io.idempotent.programs.StormNode.Payments;
import org.awaitility.Awaitility;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.ConnectionHolder;
import org.springframework.transaction.TransactionSystemException;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Callers on two nodes that submit one operation at the same time, while transactions,
 * backends, networks and the store fail. The same seed draws the same storm; how its
 * threads meet is up to the machine.
 */
final class Storm {

	/** How one run fails, if it does. */
	private enum Fault {

		NONE, THROWS, DEFERRED_CONSTRAINT, BACKEND_TERMINATED, TIMED_OUT, UNPREPARED

	}

	private enum Weather {

		CALM, REPLY_LOST, CONNECTIONS_BROKEN, BACKENDS_TERMINATED, FLUSHED, LEASES_ENDED, COMMIT_DELAYED

	}

	/** While another attempt runs, or its receipt cannot be looked up. */
	private static final Set<Refusal> MEANWHILE = EnumSet.of(Refusal.IN_PROGRESS, Refusal.STORE_UNAVAILABLE);

	private final Random random;

	private final String key;

	private final List<StormNode> nodes;

	private final ProgramStore store;

	private final JdbcTemplate sql;

	private final int entrance;

	private final AtomicInteger runs = new AtomicInteger();

	private final List<String> deviations = new ArrayList<>();

	Storm(long seed, String key, List<StormNode> nodes, ProgramStore store, JdbcTemplate sql) {
		this.random = new Random(seed * 0x9E3779B97F4A7C15L);
		this.random.nextInt();
		this.key = key;
		this.nodes = nodes;
		this.store = store;
		this.sql = sql;
		this.entrance = this.random.nextInt(3);
	}

	static void createTables(JdbcTemplate sql) {
		sql.execute("create table payment (key varchar(40) not null, note varchar(40) primary key)");
		sql.execute("create table refund (payment varchar(40) references payment deferrable initially deferred)");
	}

	/**
	 * Lets it pass.
	 * @param threads run the callers
	 * @return what may not have come of it; nothing if all is well
	 */
	List<String> pass(ExecutorService threads) throws Exception {
		List<Future<List<Answer>>> callers = new ArrayList<>();
		int count = 2 + this.random.nextInt(5);
		for (int i = 0; i < count; i++) {
			callers.add(threads.submit(caller(this.nodes.get(i % this.nodes.size()), drawFaults())));
		}
		rage();
		List<Answer> answers = new ArrayList<>();
		for (Future<List<Answer>> caller : callers) {
			answers.addAll(caller.get(60, TimeUnit.SECONDS));
		}
		this.nodes.forEach((node) -> node.network().thaw());
		awaitCalm();
		for (StormNode node : this.nodes) {
			answers.add(probe(node));
		}
		judge(answers);
		return this.deviations;
	}

	private List<Fault> drawFaults() {
		List<Fault> faults = new ArrayList<>();
		for (int i = 0; i < 8; i++) {
			Fault[] all = Fault.values();
			faults.add((this.random.nextInt(100) < 40) ? all[this.random.nextInt(all.length)] : Fault.NONE);
		}
		return faults;
	}

	private Callable<List<Answer>> caller(StormNode node, List<Fault> faults) {
		AtomicInteger run = new AtomicInteger();
		int calls = 1 + this.random.nextInt(3);
		return () -> {
			List<Answer> answers = new ArrayList<>();
			for (int i = 0; i < calls; i++) {
				answers.add(call(node, () -> faults.get(run.getAndIncrement() % faults.size())));
			}
			return answers;
		};
	}

	private Answer call(StormNode node, Supplier<Fault> faults) {
		Payments payments = node.payments();
		Supplier<String> work = () -> work(new JdbcTemplate(node.pool()), faults.get());
		try {
			return Answer.returned(switch (this.entrance) {
				case 0 -> payments.pay(this.key, work);
				case 1 -> payments.payAlone(this.key, work);
				default -> payments.payAgain(this.key, work);
			});
		}
		catch (RuntimeException ex) {
			return Answer.threw(ex);
		}
	}

	private String work(JdbcTemplate inTransaction, Fault fault) {
		String note = this.key + "#" + this.runs.incrementAndGet();
		inTransaction.queryForObject("select count(*) from payment where key = ?", Integer.class, this.key);
		if (fault == Fault.TIMED_OUT) {
			((ConnectionHolder) TransactionSynchronizationManager.getResource(inTransaction.getDataSource()))
				.setTimeoutInMillis(-1);
		}
		if (fault == Fault.UNPREPARED) {
			TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {

				@Override
				public void beforeCommit(boolean readOnly) {
					throw new TransactionSystemException("planned");
				}

			});
		}
		inTransaction.update("insert into payment values (?, ?)", this.key, note);
		if (fault == Fault.DEFERRED_CONSTRAINT) {
			inTransaction.update("insert into refund values ('of nothing')");
		}
		if (fault == Fault.BACKEND_TERMINATED) {
			inTransaction.execute("select pg_terminate_backend(pg_backend_pid())");
		}
		if (fault == Fault.THROWS) {
			throw new PlannedException();
		}
		return note;
	}

	/** What happens meanwhile. */
	private void rage() throws InterruptedException {
		for (int i = this.random.nextInt(4); i > 0; i--) {
			TimeUnit.MICROSECONDS.sleep(this.random.nextInt(8_000));
			StormNode node = this.nodes.get(this.random.nextInt(this.nodes.size()));
			// A delay takes a second: few of them.
			int drawn = this.random.nextInt(100);
			Weather weather = (drawn < 2) ? Weather.COMMIT_DELAYED
					: Weather.values()[drawn % (Weather.values().length - 1)];
			switch (weather) {
				case CALM -> Thread.onSpinWait();
				case REPLY_LOST -> node.network().dropNextReply();
				case CONNECTIONS_BROKEN -> node.network().breakConnections();
				case BACKENDS_TERMINATED -> this.sql.execute("select pg_terminate_backend(pid) from pg_stat_activity "
						+ "where application_name = 'storm' and state <> 'idle'");
				case FLUSHED -> this.store.flush();
				case LEASES_ENDED -> this.store.pass(Duration.ofSeconds(31));
				case COMMIT_DELAYED -> {
					node.network().freeze();
					// Longer than its clients wait.
					TimeUnit.MILLISECONDS.sleep(1_100);
					node.network().thaw();
				}
			}
		}
	}

	/** No statement that was sent is under way any more. */
	private void awaitCalm() {
		Awaitility.await()
			.atMost(Duration.ofSeconds(30))
			.pollInterval(Duration.ofMillis(5))
			.pollDelay(Duration.ZERO)
			.until(() -> this.sql.queryForObject(
					"select count(*) from pg_stat_activity where application_name = 'storm' " + "and state <> 'idle'",
					Integer.class) == 0);
	}

	/** Calls once more, until the caller gets something that is final. */
	private Answer probe(StormNode node) {
		Answer answer = call(node, () -> Fault.NONE);
		for (int i = 0; i < 20 && !isFinal(answer); i++) {
			// What the storm has left is over when its leases are.
			this.store.pass(Duration.ofSeconds(31));
			answer = call(node, () -> Fault.NONE);
		}
		if (!isFinal(answer)) {
			this.deviations.add("The key remains without an answer: " + answer);
		}
		return answer;
	}

	private static boolean isFinal(Answer answer) {
		return answer.failure() == null || isDone(answer);
	}

	private static boolean isDone(Answer answer) {
		return answer.failure() instanceof SubmissionRefusedException refused
				&& refused.refusal() == Refusal.RESPONSE_UNAVAILABLE;
	}

	private void judge(List<Answer> answers) {
		List<String> effects = this.sql.queryForList("select note from payment where key = ?", String.class, this.key);
		if (effects.size() != 1) {
			this.deviations.add(effects.size() + " effects: " + effects);
		}
		for (Answer answer : answers) {
			if (answer.failure() == null && !effects.contains(answer.value())) {
				this.deviations.add("The answer " + answer + " has no effect");
			}
			else if (isDone(answer) && effects.isEmpty()) {
				this.deviations.add("Refused as done without an effect");
			}
			else if (answer.failure() instanceof SubmissionRefusedException refused && !isDone(answer)
					&& !MEANWHILE.contains(refused.refusal())) {
				this.deviations.add("Refused: " + refused);
			}
		}
	}

}
