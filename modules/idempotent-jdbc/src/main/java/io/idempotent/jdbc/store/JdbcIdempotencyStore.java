package io.idempotent.jdbc.store;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

import javax.sql.DataSource;

import io.idempotent.store.ClaimId;
import io.idempotent.store.ClaimRequest;
import io.idempotent.store.ClaimRequest.Admission;
import io.idempotent.store.ClaimRequest.Lapsed;
import io.idempotent.store.ClaimRequest.Term;
import io.idempotent.store.ClaimResult;
import io.idempotent.store.IdempotencyStore;
import io.idempotent.store.IdempotencyStore.Ownership;
import io.idempotent.store.IdempotencyStore.Release;
import io.idempotent.store.KeyPrefix;
import io.idempotent.store.OperationKey;
import io.idempotent.store.Origin;
import io.idempotent.store.Outcome;
import io.idempotent.store.RecordAdministration;
import io.idempotent.store.RecordAdministration.SettlementResult;
import io.idempotent.store.RecordSnapshot;
import io.idempotent.store.RecordState;
import io.idempotent.store.Settlement;
import io.idempotent.store.StoreUnavailableException;

import org.springframework.jdbc.core.namedparam.MapSqlParameterSource;
import org.springframework.jdbc.core.namedparam.SqlParameterSource;

/**
 * Keeps the records of many nodes in a table of PostgreSQL, MariaDB, MySQL or H2. The
 * table is created by the {@code schema-*.sql} of this package.
 *
 * <p>
 * A record is a row, and the only clock is the database's. Every statement takes a
 * connection from the data source, outside any transaction of the caller, and is
 * committed when it returns, so that a rollback of the caller undoes no claim. The number
 * of statements:
 * <ul>
 * <li>A claim is one for a new key. For a key with a record it is two if refused, and two
 * on PostgreSQL or three elsewhere if granted; one less if the key must have been issued.
 * A duplicate writes and locks nothing. A claim whose record changes meanwhile is
 * retried.
 * <li>A renewal, completion or release is one statement with the owner as its condition,
 * and a second one to find the reason if another owner holds the record. A completion
 * whose record was lost is three.
 * <li>Issuing a token is one; for a key with a record, two on databases other than
 * PostgreSQL.
 * </ul>
 *
 * <p>
 * On PostgreSQL, claims of new keys and completions by several threads at the same time
 * share a round trip and a commit, if the data source is a {@code HikariDataSource}. A
 * call waits for others for 100 ms at most. Other data sources might choose a connection
 * by the calling thread, as with a database for each tenant, so their calls do not.
 *
 * <p>
 * An expired record is ignored from that moment. It is deleted later: after each hundred
 * records that a node has written, the call that wrote the last of them deletes up to a
 * thousand in one more statement. No thread is used: a store without writes keeps expired
 * records.
 *
 * <p>
 * <strong>A call needs a connection beside the one its caller may hold.</strong> If the
 * callers hold all connections of a pool, their calls fail with
 * {@link StoreUnavailableException} after the pool's own timeout.
 *
 * <p>
 * A statement that conflicts with another transaction (deadlock, serialization failure,
 * lock timeout) is repeated twice. One that takes longer than the timeout is cancelled,
 * and a connection that does not respond for another second is closed. The store does not
 * push: waiters poll. Safe for use by many threads; the data source stays open.
 */
public final class JdbcIdempotencyStore implements IdempotencyStore, RecordAdministration {

	/** The table that the schema files create. */
	public static final String DEFAULT_TABLE = "idempotent_record";

	/** The default timeout of a statement. */
	public static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(5);

	/** Each failed round means that another transaction has made progress. */
	private static final int MAX_ROUNDS = 100;

	/** Longer than any retention, and still a long in microseconds. */
	private static final Duration FOREVER = Duration.ofDays(365 * 1000L);

	private final RecordTable records;

	/** Creates a store on the default table. Opens no connection yet. */
	public JdbcIdempotencyStore(DataSource dataSource) {
		this(dataSource, DEFAULT_TABLE, DEFAULT_TIMEOUT);
	}

	/**
	 * Creates a store. Opens no connection yet.
	 * @param table the table, optionally preceded by its schema and a dot
	 * @param timeout how long a statement may take, in whole seconds
	 * @throws IllegalArgumentException if the table is not an SQL identifier, or the
	 * timeout is shorter than a second
	 */
	public JdbcIdempotencyStore(DataSource dataSource, String table, Duration timeout) {
		this.records = new RecordTable(dataSource, table, timeout);
	}

	@Override
	public void issue(OperationKey key, Duration timeToLive) {
		this.records.issue("issue operation " + key, values(key).addValue("life", microseconds(timeToLive)));
		this.records.written();
	}

	@Override
	public ClaimResult claim(ClaimRequest request) {
		String what = "claim operation " + request.key();
		MapSqlParameterSource values = values(request);
		for (int round = 0; round < MAX_ROUNDS; round++) {
			ClaimResult result = this.records.claim(what, request, values);
			if (result instanceof ClaimResult.Granted) {
				this.records.written();
			}
			if (result != null) {
				return result;
			}
		}
		throw tooManyChanges(what);
	}

	private static MapSqlParameterSource values(ClaimRequest request) {
		Origin origin = request.origin();
		return values(request.key()).addValue("owner", request.owner().bytes())
			.addValue("fingerprint", request.fingerprint().digest().bytes())
			.addValue("state", (request.term() == Term.BURNT) ? StoredRecord.BURNT : StoredRecord.CLAIMED)
			.addValue("lease", microseconds(request.lease()))
			.addValue("retention", microseconds(request.retention()))
			.addValue("open", request.admission() == Admission.OPEN)
			.addValue("origin", (origin != null) ? origin.encoded() : null)
			.addValue("takeOver", request.lapsed() == Lapsed.TAKE_OVER);
	}

	@Override
	public Ownership renew(ClaimId claim, Duration lease) {
		String what = "renew operation " + claim.key();
		MapSqlParameterSource values = values(claim).addValue("lease", microseconds(lease));
		return this.records.update(what, RecordStatements::renew, values) ? Ownership.HELD : lost(what, claim, values);
	}

	@Override
	public Ownership complete(ClaimId claim, Outcome outcome, Duration retention) {
		String what = "complete operation " + claim.key();
		byte[] answer = (outcome instanceof Outcome.Stored stored) ? stored.answer() : null;
		MapSqlParameterSource values = values(claim).addValue("fingerprint", claim.fingerprint().digest().bytes())
			.addValue("retention", microseconds(retention))
			.addValue("state", (answer != null) ? StoredRecord.COMPLETED : StoredRecord.TOMBSTONE)
			.addValue("answer", answer);
		for (int round = 0; round < MAX_ROUNDS; round++) {
			if (this.records.complete(what, values)) {
				return Ownership.HELD;
			}
			Optional<StoredRecord> found = this.records.find(what, values);
			if (found.isPresent()) {
				found.get().requireReadable(claim.key());
				return found.get().isOutcomeOf(claim) ? Ownership.HELD : Ownership.LOST;
			}
			if (this.records.insert(what, RecordStatements::completeNew, values)) {
				return Ownership.HELD;
			}
		}
		throw tooManyChanges(what);
	}

	@Override
	public Ownership release(ClaimId claim, Release release) {
		String what = "release operation " + claim.key();
		MapSqlParameterSource values = values(claim);
		boolean held = this.records.update(what,
				(release == Release.UNKNOWN) ? RecordStatements::giveUp : RecordStatements::giveBack, values);
		return held ? Ownership.HELD : lost(what, claim, values);
	}

	@Override
	public RecordSnapshot inspect(OperationKey key) {
		return this.records.find("inspect operation " + key, values(key))
			.map((record) -> record.snapshot(key))
			.orElseGet(() -> RecordSnapshot.absent(key));
	}

	@Override
	public FoundKeys findKeys(KeyPrefix prefix, int limit) {
		List<OperationKey> keys = this.records.findKeys("find operations by the beginning of their key",
				new MapSqlParameterSource("limit", limit + 1).addValue("lowest", prefix.lowest())
					.addValue("highest", prefix.highest()));
		return new FoundKeys(keys.subList(0, Math.min(limit, keys.size())), keys.size() <= limit);
	}

	@Override
	public UnknownRecords unknown(int limit) {
		List<RecordSnapshot> records = this.records.unknown("list unknown outcomes",
				new MapSqlParameterSource("limit", limit + 1));
		return new UnknownRecords(records.subList(0, Math.min(limit, records.size())), records.size() <= limit);
	}

	@Override
	public SettlementResult settle(Settlement settlement) {
		String what = "settle operation " + settlement.key();
		MapSqlParameterSource values = values(settlement.key()).addValue("owner", settlement.seen().bytes())
			.addValue("attempt", settlement.attempt())
			.addValue("force", settlement.force())
			.addValue("by", settlement.by().bytes());
		boolean settled = this.records.update(what, switch (settlement.kind()) {
			case RELEASE -> RecordStatements::settleAsIssued;
			case CONFIRM -> RecordStatements::settleAsTombstone;
		}, values);
		return settled ? SettlementResult.SETTLED : notSettled(settlement);
	}

	private SettlementResult notSettled(Settlement settlement) {
		RecordSnapshot record = inspect(settlement.key());
		return (record.state() == RecordState.IN_PROGRESS && record.attempt() == settlement.attempt()
				&& settlement.seen().equals(record.owner())) ? SettlementResult.ALIVE : SettlementResult.CHANGED;
	}

	@Override
	public String nameOf(OperationKey key) {
		return this.records.nameOf(key);
	}

	/** The table, as messages name it. */
	@Override
	public String toString() {
		return this.records.toString();
	}

	private Ownership lost(String what, ClaimId claim, SqlParameterSource values) {
		this.records.find(what, values).ifPresent((record) -> record.requireReadable(claim.key()));
		return Ownership.LOST;
	}

	private static MapSqlParameterSource values(ClaimId claim) {
		return values(claim.key()).addValue("owner", claim.owner().bytes()).addValue("attempt", claim.attempt());
	}

	private static MapSqlParameterSource values(OperationKey key) {
		return new MapSqlParameterSource("key", key.digest().bytes());
	}

	private static StoreUnavailableException tooManyChanges(String what) {
		return new StoreUnavailableException(
				"The database did not " + what + ": its record was changed by others each time, " + MAX_ROUNDS
						+ " times. Look at whether the table is that of the schema-*.sql of "
						+ JdbcIdempotencyStore.class.getPackageName(),
				null);
	}

	/** Rounded up, since a duration of zero would expire at once. */
	private static long microseconds(Duration duration) {
		return (duration.compareTo(FOREVER) >= 0) ? TimeUnit.MICROSECONDS.convert(FOREVER)
				: TimeUnit.MICROSECONDS.convert(duration.plusNanos(999));
	}

}
