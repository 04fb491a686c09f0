package io.idempotent.benchmarks.lock;

import java.nio.charset.StandardCharsets;
import java.util.List;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.idempotent.benchmarks.lock.LockContender.Role;
import io.idempotent.lock.internal.EngineDistributedLocks;
import io.idempotent.lock.jdbc.JdbcLockEngine;
import io.idempotent.lock.jdbc.TransactionLockEngine;
import net.javacrumbs.shedlock.provider.jdbctemplate.JdbcTemplateLockProvider;

import org.springframework.core.io.ByteArrayResource;
import org.springframework.core.io.ClassPathResource;
import org.springframework.integration.jdbc.lock.DefaultLockRepository;
import org.springframework.integration.jdbc.lock.JdbcLockRegistry;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.jdbc.datasource.init.ResourceDatabasePopulator;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Locks in PostgreSQL, all of them on one pool.
 */
final class JdbcRivals implements Rivals {

	private static final String SHEDLOCK_TABLE = "create table shedlock (name varchar(64) primary key, "
			+ "lock_until timestamp not null, locked_at timestamp not null, locked_by varchar(255) not null)";

	private static final int CONNECTIONS = 20;

	private final HikariDataSource pool;

	private final TransactionTemplate transactions;

	private final EngineDistributedLocks ours;

	private final EngineDistributedLocks oursInTransactions;

	private final DefaultLockRepository repository;

	private final JdbcLockRegistry registry;

	JdbcRivals(String url) {
		HikariConfig config = new HikariConfig();
		config.setJdbcUrl(url);
		config.setMaximumPoolSize(CONNECTIONS);
		this.pool = new HikariDataSource(config);
		JdbcTransactionManager manager = new JdbcTransactionManager(this.pool);
		this.transactions = new TransactionTemplate(manager);
		this.ours = Rivals.ours(new JdbcLockEngine(this.pool));
		this.oursInTransactions = Rivals.ours(new TransactionLockEngine(this.pool));
		this.repository = new DefaultLockRepository(this.pool);
		this.repository.setTransactionManager(manager);
		this.repository.afterPropertiesSet();
		this.repository.afterSingletonsInstantiated();
		this.registry = new JdbcLockRegistry(this.repository, LEASE);
	}

	/**
	 * Creates everybody's tables, each as its documentation does.
	 * @param url where
	 */
	static void createTables(String url) {
		new ResourceDatabasePopulator(new ClassPathResource("schema-postgresql.sql", JdbcLockEngine.class),
				new ClassPathResource("org/springframework/integration/jdbc/schema-postgresql.sql"),
				new ByteArrayResource(SHEDLOCK_TABLE.getBytes(StandardCharsets.UTF_8)))
			.execute(new DriverManagerDataSource(url));
	}

	@Override
	public List<LockContender> contenders() {
		Guard inTransaction = Rivals.guard(this.oursInTransactions);
		return List.of(new LockContender("this library, jdbc", Role.OURS, Rivals.guard(this.ours)),
				new LockContender("this library, jdbc-transaction", Role.OURS_WITHOUT_WAITING,
						(name, section) -> this.transactions.executeWithoutResult((status) -> {
							try {
								inTransaction.run(name, section);
							}
							catch (Exception ex) {
								throw new IllegalStateException(ex);
							}
						})),
				new LockContender("Spring Integration 7.1.0-M2", Role.PEER, Guard.of(this.registry::obtain)),
				new LockContender("ShedLock, which never waits", Role.PEER_WITHOUT_WAITING,
						RedisRivals.once(new JdbcTemplateLockProvider(JdbcTemplateLockProvider.Configuration.builder()
							.withJdbcTemplate(new JdbcTemplate(this.pool))
							.usingDbTime()
							.build()))));
	}

	@Override
	public void close() {
		this.ours.close();
		this.oursInTransactions.close();
		this.repository.close();
		this.pool.close();
	}

}
