package io.idempotent.jdbc.store;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import com.zaxxer.hikari.HikariDataSource;
import io.idempotent.contract.store.IdempotencyStoreContract;
import io.idempotent.contract.store.StoreSubmission;
import io.idempotent.store.ClaimId;
import io.idempotent.store.ClaimResult;
import io.idempotent.store.IdempotencyStore;
import io.idempotent.store.IdempotencyStore.Ownership;
import io.idempotent.store.Outcome;
import io.idempotent.testing.TestDatabase;
import io.idempotent.testing.TestPostgres;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import org.springframework.jdbc.datasource.lookup.AbstractRoutingDataSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Many threads use a store whose pool lets it form groups.
 */
@Timeout(60)
class PostgresGroupsTests extends IdempotencyStoreContract {

	private static final int THREADS = 24;

	private static final TestDatabase DATABASE = TestDatabase.postgresql(TestPostgres.newDatabase());

	/** The driver does not tell how many rows a batch of inserts has changed. */
	@AutoClose
	private final HikariDataSource pool = DATABASE.at(DATABASE.url() + "&reWriteBatchedInserts=true").pool(4);

	private final JdbcIdempotencyStore store = new JdbcIdempotencyStore(this.pool);

	@AutoClose("shutdownNow")
	private final ExecutorService threads = Executors.newFixedThreadPool(THREADS);

	@Override
	protected IdempotencyStore store() {
		return this.store;
	}

	@Override
	protected void pass(Duration time) {
		JdbcIdempotencyStoreContract.sleep(time);
	}

	@Test
	void oneOfManyClaimsOfEachKeyIsGranted() throws Exception {
		try (HikariDataSource counting = DATABASE.pool(4)) {
			DATABASE.sql().update("delete from idempotent_record");
			oneOfManyClaimsIsGranted(new JdbcIdempotencyStore(counting));
			assertThat(DATABASE.sql()
				.queryForObject("select count(*) - count(distinct xmin::text) from idempotent_record", Integer.class))
				.as("claims that shared a transaction")
				.isPositive();
		}
	}

	@Test
	void oneOfManyClaimsIsGrantedIfTheDriverDoesNotCount() throws Exception {
		oneOfManyClaimsIsGranted(this.store);
	}

	private void oneOfManyClaimsIsGranted(IdempotencyStore store) throws Exception {
		List<StoreSubmission> operations = Stream.generate(() -> StoreSubmission.to(store)).limit(100).toList();
		List<ClaimResult> results = all(operations.stream()
			.flatMap((operation) -> Stream.<Callable<ClaimResult>>of(operation::claim, operation.again()::claim,
					operation.again()::claim))
			.toList());
		assertThat(results).filteredOn(new ClaimResult.Granted(1, false)::equals).hasSize(operations.size());
		assertThat(results).filteredOn(ClaimResult.InProgress.class::isInstance).hasSize(2 * operations.size());
	}

	@Test
	void aRowThatSomebodyHasLockedDelaysNoOtherCompletion() throws Exception {
		List<StoreSubmission> operations = Stream.generate(() -> StoreSubmission.to(this.store)).limit(100).toList();
		Map<StoreSubmission, ClaimId> claims = operations.stream()
			.collect(Collectors.toMap((operation) -> operation, StoreSubmission::granted));
		try (Connection other = DATABASE.dataSource().getConnection()) {
			other.setAutoCommit(false);
			execute(other, "select 1 from idempotent_record where operation_key = ? for update", operations.get(0));
			List<Future<Ownership>> completions = operations.stream()
				.map((operation) -> this.threads
					.submit(() -> operation.complete(claims.get(operation), Outcome.TOMBSTONE)))
				.toList();
			for (Future<Ownership> completion : completions.subList(1, completions.size())) {
				assertThat(completion.get()).isEqualTo(Ownership.HELD);
			}
			assertThat(completions.get(0).isDone()).isFalse();
			other.rollback();
			assertThat(completions.get(0).get()).isEqualTo(Ownership.HELD);
		}
	}

	@Test
	void aRecordThatSomebodyIsDeletingDelaysNoOtherClaim() throws Exception {
		StoreSubmission deleted = StoreSubmission.to(this.store);
		deleted.granted();
		List<StoreSubmission> operations = Stream.generate(() -> StoreSubmission.to(this.store)).limit(100).toList();
		try (Connection other = DATABASE.dataSource().getConnection()) {
			other.setAutoCommit(false);
			execute(other, "delete from idempotent_record where operation_key = ?", deleted);
			List<Future<ClaimResult>> waiting = new ArrayList<>();
			List<Future<ClaimResult>> claims = new ArrayList<>();
			for (int i = 0; i < operations.size(); i++) {
				if (i % 40 == 30) {
					waiting.add(this.threads.submit(deleted.again()::claim));
				}
				claims.add(this.threads.submit(operations.get(i)::claim));
			}
			for (Future<ClaimResult> claim : claims) {
				assertThat(claim.get()).isEqualTo(new ClaimResult.Granted(1, false));
			}
			assertThat(waiting).noneMatch(Future::isDone);
			other.rollback();
			for (Future<ClaimResult> claim : waiting) {
				assertThat(claim.get()).isInstanceOf(ClaimResult.InProgress.class);
			}
		}
	}

	private static void execute(Connection connection, String sql, StoreSubmission operation) throws Exception {
		try (PreparedStatement statement = connection.prepareStatement(sql)) {
			statement.setBytes(1, operation.key().digest().bytes());
			statement.execute();
		}
	}

	@Test
	void aDataSourceThatDependsOnTheThreadGetsNoGroups() throws Exception {
		try (HikariDataSource other = TestDatabase.postgresql(TestPostgres.newDatabase()).pool(4)) {
			ThreadLocal<String> tenant = new ThreadLocal<>();
			JdbcIdempotencyStore store = new JdbcIdempotencyStore(routing(tenant, Map.of("a", this.pool, "b", other)));
			List<StoreSubmission> operations = Stream.generate(() -> StoreSubmission.to(store)).limit(200).toList();
			all(IntStream.range(0, operations.size()).<Callable<ClaimId>>mapToObj((i) -> () -> {
				tenant.set((i % 2 == 0) ? "a" : "b");
				return operations.get(i).granted();
			}).toList());
			for (int i = 0; i < operations.size(); i++) {
				tenant.set((i % 2 == 0) ? "a" : "b");
				assertThat(operations.get(i).again().claim()).isInstanceOf(ClaimResult.InProgress.class);
			}
		}
	}

	private static AbstractRoutingDataSource routing(ThreadLocal<String> tenant, Map<Object, Object> targets) {
		AbstractRoutingDataSource routing = new AbstractRoutingDataSource() {

			@Override
			protected Object determineCurrentLookupKey() {
				return tenant.get();
			}

		};
		routing.setTargetDataSources(targets);
		routing.afterPropertiesSet();
		return routing;
	}

	private <T> List<T> all(List<Callable<T>> calls) throws Exception {
		List<T> results = new ArrayList<>();
		for (Future<T> future : this.threads.invokeAll(calls, 1, TimeUnit.MINUTES)) {
			results.add(future.get());
		}
		return results;
	}

}
