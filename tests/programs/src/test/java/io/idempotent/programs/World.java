package io.idempotent.programs;

import java.time.Duration;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

import javax.sql.DataSource;

import com.zaxxer.hikari.HikariDataSource;
import io.idempotent.programs.Transaction.Mark;
import io.idempotent.store.IdempotencyStore;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.web.context.servlet.AnnotationConfigServletWebApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.ConnectionHolder;
import org.springframework.jdbc.datasource.JdbcTransactionObjectSupport;
import org.springframework.mock.web.MockServletContext;
import org.springframework.transaction.TransactionExecution;
import org.springframework.transaction.TransactionExecutionListener;
import org.springframework.transaction.TransactionStatus;
import org.springframework.transaction.support.DefaultTransactionStatus;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Two nodes on one store and one guarded database, and what is seen of their
 * transactions. Used for many programs, one after the other.
 */
final class World implements AutoCloseable {

	private final HikariDataSource pool;

	private final HikariDataSource otherPool;

	private final WatchedDataSource guarded;

	private final WatchedDataSource other;

	private final ProgramStore store;

	private final boolean jpa;

	private final List<Node> nodes;

	private final JdbcTemplate sql;

	/** Bound by each thread that runs a program. */
	@SuppressWarnings("ThreadLocalUsage")
	private final ThreadLocal<@Nullable Playing> playing = new ThreadLocal<>();

	private final Map<ConnectionHolder, Transaction> transactions = Collections
		.synchronizedMap(new IdentityHashMap<>());

	World(Databases databases, boolean receipts, boolean autoCommit, boolean jpa, ProgramStore store) {
		this.jpa = jpa;
		this.pool = databases.guarded();
		this.otherPool = databases.other();
		this.guarded = new WatchedDataSource(this.pool, autoCommit);
		this.other = new WatchedDataSource(this.otherPool, autoCommit);
		this.store = store;
		this.sql = new JdbcTemplate(this.pool);
		List.of(this.pool, this.otherPool).forEach(World::createTables);
		this.nodes = List.of(node(receipts, jpa, store.client(0)), node(receipts, jpa, store.client(1)));
	}

	private static void createTables(DataSource dataSource) {
		JdbcTemplate sql = new JdbcTemplate(dataSource);
		sql.execute("create table if not exists effect (program bigint not null, id bigint not null)");
		sql.execute("create index if not exists effect_program on effect (program)");
		sql.execute("create table if not exists sole_effect (name varchar(255) not null primary key)");
	}

	private Node node(boolean receipts, boolean jpa, IdempotencyStore client) {
		return new Node(
				new SpringApplicationBuilder(NodeApplication.class, jpa ? JpaManagers.class : JdbcManagers.class)
					.web(WebApplicationType.SERVLET)
					.contextFactory((type) -> context())
					.properties("spring.main.banner-mode=off", "spring.main.log-startup-info=false",
							"idempotent.namespace=programs", "idempotent.guard.enabled=true",
							"idempotent.guard.receipt.enabled=" + receipts, "idempotent.initialize-schema=always",
							"idempotent.lock.engines=local", "idempotent.lock.wait-time=200ms",
							"idempotent.store.near-cache.enabled=false")
					.initializers((context) -> register((GenericApplicationContext) context, client))
					.run());
	}

	private static ConfigurableApplicationContext context() {
		AnnotationConfigServletWebApplicationContext context = new AnnotationConfigServletWebApplicationContext();
		context.setServletContext(new MockServletContext());
		return context;
	}

	private void register(GenericApplicationContext context, IdempotencyStore client) {
		context.registerBean("guardedDataSource", DataSource.class, () -> this.guarded,
				(definition) -> definition.setPrimary(true));
		context.registerBean("otherDataSource", DataSource.class, () -> this.other);
		context.registerBean(IdempotencyStore.class, () -> client);
		context.registerBean(TransactionExecutionListener.class, Witness::new);
	}

	Node node(int index) {
		return this.nodes.get(index);
	}

	ProgramStore store() {
		return this.store;
	}

	JdbcTemplate sql() {
		return this.sql;
	}

	/** What writes in the transaction of the current thread. */
	JdbcTemplate inTransaction(boolean inGuarded) {
		return new JdbcTemplate(inGuarded ? this.guarded : this.other);
	}

	/** Whether connections are not given back, by threads of the library either. */
	boolean leaksConnections() {
		long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(1);
		while (activeConnections() > leftOpen() && System.nanoTime() < end) {
			LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
		}
		return activeConnections() > leftOpen();
	}

	/**
	 * Hibernate keeps the connection of a transaction that Spring neither commits nor
	 * rolls back, without this library as well.
	 */
	private long leftOpen() {
		return this.jpa ? this.transactions.values().stream().filter(Transaction::isAbandoned).count() : 0;
	}

	/** Connections that were not given back. */
	int activeConnections() {
		return this.pool.getHikariPoolMXBean().getActiveConnections()
				+ this.otherPool.getHikariPoolMXBean().getActiveConnections();
	}

	void play(@Nullable Playing current) {
		this.guarded.exhaust(false);
		if (current != null) {
			this.playing.set(current);
		}
		else {
			this.playing.remove();
		}
	}

	void forgetTransactions() {
		this.transactions.clear();
	}

	/** The transactions of the current thread that are open and not suspended. */
	Set<Transaction> live() {
		Set<Transaction> live = new LinkedHashSet<>();
		for (DataSource each : List.of(this.guarded, this.other)) {
			Transaction transaction = current(each);
			if (transaction != null && transaction.isOpen()) {
				live.add(transaction);
			}
		}
		return live;
	}

	/** Whether a guarded transaction is bound to the current thread that is completed. */
	boolean isCompleting() {
		Transaction transaction = current(this.guarded);
		return transaction != null && !transaction.isOpen();
	}

	/** Where the current thread is in its transactions. */
	List<Mark> scope() {
		return live().stream().map(Transaction::mark).toList();
	}

	private @Nullable Transaction current(DataSource dataSource) {
		Object holder = TransactionSynchronizationManager.getResource(dataSource);
		return (holder instanceof ConnectionHolder known) ? this.transactions.get(known) : null;
	}

	/** The transaction that a status belongs to, if it has one. */
	@Nullable Transaction transactionOf(TransactionStatus status) {
		return (status instanceof DefaultTransactionStatus known && known.hasTransaction()
				&& known.getTransaction() instanceof JdbcTransactionObjectSupport jdbc && jdbc.hasConnectionHolder())
						? this.transactions.get(jdbc.getConnectionHolder()) : null;
	}

	/** The transaction of the current thread in which rows are written. */
	@Nullable Transaction writable(boolean inGuarded) {
		Transaction current = current(inGuarded ? this.guarded : this.other);
		return (current != null && current.isOpen() && !current.isReadOnly() && !current.isAborted()) ? current : null;
	}

	/** Lets the commit of the current thread's guarded transaction fail. */
	boolean failCommit(CommitFault fault) {
		Transaction current = current(this.guarded);
		Object holder = TransactionSynchronizationManager.getResource(this.guarded);
		if (current == null || !current.isOpen() || holder == null) {
			return false;
		}
		((WatchedDataSource.Watched) ((ConnectionHolder) holder).getConnection()).failCommit(fault);
		return true;
	}

	/** The next transaction of the current thread gets no connection. */
	void exhaust() {
		this.guarded.exhaust(true);
	}

	/** Ends the time of the current thread's guarded transaction. */
	boolean timeOut() {
		Transaction current = current(this.guarded);
		if (current == null || !current.isOpen()
				|| !(TransactionSynchronizationManager.getResource(this.guarded) instanceof ConnectionHolder holder)) {
			return false;
		}
		holder.setTimeoutInMillis(-1);
		return true;
	}

	@Override
	public void close() {
		this.nodes.forEach(Node::close);
		this.store.close();
		this.pool.close();
		this.otherPool.close();
	}

	/** Moves on to another program's time. */
	void lapse() {
		this.store.pass(Duration.ofSeconds(31));
	}

	/**
	 * What a thread is at.
	 *
	 * @param strand the thread
	 * @param oracle who hears of its commits
	 */
	record Playing(Strand strand, Oracle oracle) {
	}

	/**
	 * Sees each transaction that begins.
	 */
	private final class Witness implements TransactionExecutionListener {

		@Override
		public void afterBegin(TransactionExecution execution, @Nullable Throwable beginFailure) {
			Playing current = World.this.playing.get();
			if (current == null || beginFailure != null) {
				return;
			}
			witness(World.this.guarded, execution, current);
			witness(World.this.other, execution, current);
		}

		@Override
		public void beforeCommit(TransactionExecution execution) {
			ends(execution);
		}

		@Override
		public void beforeRollback(TransactionExecution execution) {
			ends(execution);
		}

		private void ends(TransactionExecution execution) {
			Transaction transaction = (execution instanceof TransactionStatus status) ? transactionOf(status) : null;
			if (transaction != null) {
				transaction.ends();
			}
		}

		private void witness(DataSource dataSource, TransactionExecution execution, Playing current) {
			Object bound = TransactionSynchronizationManager.getResource(dataSource);
			if (!(bound instanceof ConnectionHolder holder) || World.this.transactions.containsKey(holder)
					|| !(holder.getConnection() instanceof WatchedDataSource.Watched watched)) {
				return;
			}
			Transaction begun = new Transaction(dataSource == World.this.guarded, execution.isReadOnly(),
					current.strand());
			World.this.transactions.put(holder, begun);
			current.strand().began(begun);
			watched.begun(begun, (completed) -> {
				current.strand().completed(completed);
				if (completed.isCommitted()) {
					current.oracle().committed(completed);
				}
			});
		}

	}

}
