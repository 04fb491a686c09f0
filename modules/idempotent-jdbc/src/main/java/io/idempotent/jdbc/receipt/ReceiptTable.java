package io.idempotent.jdbc.receipt;

import java.math.BigDecimal;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import javax.sql.DataSource;

import io.idempotent.jdbc.Dialect;
import io.idempotent.jdbc.ShortStatements;
import io.idempotent.jdbc.StatementFailures;
import io.idempotent.jdbc.StatementSession;
import io.idempotent.jdbc.TableName;
import io.idempotent.jdbc.TransactionStatements;
import io.idempotent.store.ClaimId;
import io.idempotent.store.Fingerprint;
import io.idempotent.store.OperationKey;
import io.idempotent.store.Outcome;
import io.idempotent.store.Owner;
import io.idempotent.store.RecordEncryption;
import io.idempotent.store.StoreUnavailableException;
import io.idempotent.submission.receipt.Receipts.Receipt;
import io.idempotent.support.Digest;
import org.jspecify.annotations.Nullable;

import org.springframework.dao.CannotAcquireLockException;

/**
 * The table of receipts. A receipt is inserted in the transaction of the caller; all
 * other statements use a connection of their own.
 */
final class ReceiptTable {

	private static final int ATTEMPTS = 3;

	private static final StatementFailures FAILURES = new StatementFailures(ReceiptTable.class,
			StoreUnavailableException::new, StoreUnavailableException::new);

	private final TransactionStatements transaction;

	private final ShortStatements database;

	private final String table;

	private final RecordEncryption encryption;

	/** One text each, whose hash the driver looks up for each receipt. */
	private volatile @Nullable ReceiptStatements statements;

	ReceiptTable(DataSource dataSource, String table, Duration timeout, RecordEncryption encryption) {
		this.transaction = new TransactionStatements(dataSource, ReceiptTable.class);
		this.database = new ShortStatements(dataSource, timeout, FAILURES, Dialect::of);
		this.table = TableName.require(table);
		this.encryption = encryption;
	}

	private ReceiptStatements sql(StatementSession session) {
		ReceiptStatements known = this.statements;
		if (known == null) {
			known = ReceiptStatements.of(this.table, session.dialect());
			this.statements = known;
		}
		return known;
	}

	/** Waits for a transaction that has inserted a receipt of the same operation. */
	Insertion insert(ClaimId claim, Outcome outcome) {
		return this.transaction.run("insert the receipt of operation '" + claim.operation() + "'",
				(session) -> insert(session, claim, answer(claim, outcome)));
	}

	private Insertion insert(StatementSession session, ClaimId claim, byte @Nullable [] answer) throws SQLException {
		ReceiptStatements sql = sql(session);
		for (int i = 0; i < ATTEMPTS; i++) {
			if (session.insertFirst(sql.insert(), arguments(sql, claim, answer))) {
				return Insertion.NEW;
			}
			byte[] found = session.first(sql.lock(), (row) -> row.getBytes(1), key(claim.key())).orElse(null);
			if (found != null) {
				return Arrays.equals(found, claim.owner().bytes()) ? Insertion.OWN : Insertion.FOREIGN;
			}
			// Another transaction has just rolled it back, or deleted it.
		}
		throw new CannotAcquireLockException("The receipt of operation '" + claim.operation() + "' (key " + claim.key()
				+ ") was inserted and rolled back by other transactions " + ATTEMPTS
				+ " times meanwhile: this transaction is rolled back; try again");
	}

	private static @Nullable Object[] arguments(ReceiptStatements sql, ClaimId claim, byte @Nullable [] answer) {
		byte[] key = key(claim.key());
		byte[] owner = claim.owner().bytes();
		byte[] fingerprint = claim.fingerprint().digest().bytes();
		return sql.keyLast()
				? new @Nullable Object[] { key, owner, claim.attempt(), fingerprint, claim.operation(), answer, key }
				: new @Nullable Object[] { key, owner, claim.attempt(), fingerprint, claim.operation(), answer };
	}

	/**
	 * Inserts several receipts with one batched statement. Returns those that are known
	 * to be new; each other one must be inserted by itself.
	 */
	Set<ClaimId> insertAll(Map<ClaimId, Outcome> receipts) {
		// In one order, so that two transactions with the same keys do not deadlock.
		List<ClaimId> claims = receipts.keySet()
			.stream()
			.sorted(Comparator.comparing((claim) -> key(claim.key()), Arrays::compareUnsigned))
			.toList();
		int[] rows = this.transaction.run("insert " + claims.size() + " receipts", (session) -> {
			ReceiptStatements sql = sql(session);
			return session.insertAllFirst(sql.insert(), claims.stream()
				.map((claim) -> arguments(sql, claim, answer(claim, receipts.getOrDefault(claim, Outcome.TOMBSTONE))))
				.toList());
		});
		return IntStream.range(0, rows.length)
			.filter((i) -> rows[i] == 1)
			.mapToObj(claims::get)
			.collect(Collectors.toSet());
	}

	/** In the open transaction; whether the attempt's committed receipt was found. */
	boolean addOutcome(ClaimId claim, Outcome outcome) {
		return this.transaction.run("store an outcome with the receipt of operation '" + claim.operation() + "'",
				(session) -> addOutcome(session, claim, outcome));
	}

	/** Whether the attempt's receipt was found. */
	boolean addOutcomeInOwnTransaction(ClaimId claim, Outcome outcome) {
		return this.database.run("store the outcome of operation '" + claim.operation() + "' with its receipt",
				(session) -> addOutcome(session, claim, outcome));
	}

	private boolean addOutcome(StatementSession session, ClaimId claim, Outcome outcome) throws SQLException {
		return session.update(sql(session).addOutcome(), answer(claim, outcome), key(claim.key()),
				claim.owner().bytes()) > 0;
	}

	/**
	 * In a transaction of its own: stores the outcome with the attempt's receipt, or with
	 * a new one. Not if there is a receipt of another attempt.
	 */
	boolean record(ClaimId claim, Outcome outcome) {
		return this.database.run("record the outcome of operation '" + claim.operation() + "'", (session) -> {
			Insertion result = insert(session, claim, answer(claim, outcome));
			return result == Insertion.NEW || (result == Insertion.OWN && addOutcome(session, claim, outcome));
		});
	}

	/** Fails unless the table can be written to. */
	void check() {
		this.database.run("accept receipts", (session) -> {
			session.requireWritable(this.table, "answer");
			return true;
		});
	}

	Optional<Receipt> find(OperationKey key) {
		return this.database.run("look for the receipt of an operation",
				(session) -> session.first(sql(session).find(), (row) -> receipt(row, key), key(key)));
	}

	private Receipt receipt(ResultSet row, OperationKey key) throws SQLException {
		byte[] fingerprint = row.getBytes(4);
		return new Receipt(Owner.of(row.getBytes(1)), row.getInt(2), outcome(key, row.getBytes(3)),
				(fingerprint != null) ? new Fingerprint(Digest.of(fingerprint)) : null, age(row.getBigDecimal(5)));
	}

	private static Duration age(BigDecimal microseconds) {
		return Duration.of(Math.max(0, microseconds.longValue()), ChronoUnit.MICROS);
	}

	private byte @Nullable [] answer(ClaimId claim, Outcome outcome) {
		return (this.encryption.encrypt(claim.key(), outcome) instanceof Outcome.Stored stored) ? stored.answer()
				: null;
	}

	private Outcome outcome(OperationKey key, byte @Nullable [] answer) {
		return (answer != null) ? this.encryption.decrypt(key, Outcome.stored(answer)) : Outcome.TOMBSTONE;
	}

	void delete(ClaimId claim) {
		this.database.run("delete the receipt of operation '" + claim.operation() + "'",
				(session) -> session.update(sql(session).delete(), key(claim.key()), claim.owner().bytes()));
	}

	/** Deletes a batch of receipts, and returns their number. */
	int purge(Duration age) {
		return this.database.run("delete old receipts",
				(session) -> session.update(sql(session).purge(), TimeUnit.MICROSECONDS.convert(age)));
	}

	private static byte[] key(OperationKey key) {
		return key.digest().bytes();
	}

	/** The result of inserting a receipt. */
	enum Insertion {

		/** It was inserted. */
		NEW,

		/** This attempt had already inserted one. */
		OWN,

		/** Another attempt had already inserted one. */
		FOREIGN

	}

}
