package io.idempotent.administration;

import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;

import io.idempotent.administration.InterventionResult.RefusedBecause;
import io.idempotent.audit.AuditLine;
import io.idempotent.audit.AuditTrail;
import io.idempotent.store.IdempotencyStore;
import io.idempotent.store.KeyPrefix;
import io.idempotent.store.OperationKey;
import io.idempotent.store.Origin;
import io.idempotent.store.Outcome;
import io.idempotent.store.Owner;
import io.idempotent.store.RecordAdministration;
import io.idempotent.store.RecordAdministration.FoundKeys;
import io.idempotent.store.RecordAdministration.SettlementResult;
import io.idempotent.store.RecordAdministration.UnknownRecords;
import io.idempotent.store.RecordSnapshot;
import io.idempotent.store.RecordState;
import io.idempotent.store.Settlement;
import io.idempotent.store.StoreUnavailableException;
import io.idempotent.submission.IdempotencyGate;
import io.idempotent.submission.receipt.Receipts;
import io.idempotent.submission.receipt.Receipts.Receipt;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * Shows the records of operations to an operator, and settles abandoned claims.
 * Interventions are decided by the store, which compares the owner of the record with the
 * one that was seen.
 *
 * <p>
 * Each method calls the store, and the guarded database if there are receipts. They throw
 * {@link StoreUnavailableException} if one of them does not answer,
 * {@link io.idempotent.store.UnreadableRecordException} if a record cannot be read, and
 * {@link UnsupportedOperationException} if the store is not a
 * {@link io.idempotent.store.RecordAdministration}. Safe for use by several threads.
 *
 * <p>
 * An intervention writes the operator and the reason to the audit log, and throws an
 * {@link IllegalArgumentException} if one of them is blank.
 */
public class IdempotencyAdministration {

	private static final Log logger = LogFactory.getLog(IdempotencyAdministration.class);

	private static final int MAX_FOUND = 10;

	private final IdempotencyGate gate;

	private final IdempotencyStore store;

	private final @Nullable Receipts receipts;

	private final String application;

	private final AuditTrail<Intervention> interventions;

	private final SecureRandom random = new SecureRandom();

	/** Hides records of other namespaces. The listener is called after interventions. */
	public IdempotencyAdministration(IdempotencyGate gate, IdempotencyStore store, @Nullable Receipts receipts,
			String namespace, Consumer<Intervention> listener) {
		this.gate = gate;
		this.store = store;
		this.receipts = receipts;
		this.application = Origin.application(namespace);
		this.interventions = new AuditTrail<>((intervention) -> line(intervention).with("result", "done"), listener);
	}

	/**
	 * Looks up one operation. Blocks for one round trip to the store, and one statement
	 * if there are receipts. The state is {@code ABSENT} if there is no record.
	 */
	public OperationRecord find(OperationKey key) {
		RecordSnapshot record = records().inspect(key);
		if (isForeign(record)) {
			return describe(RecordSnapshot.absent(key), null);
		}
		return describe(record, (this.receipts != null) ? this.receipts.find(key).orElse(null) : null);
	}

	private OperationRecord describe(RecordSnapshot record, @Nullable Receipt receipt) {
		OperationKey key = record.key();
		Owner owner = record.owner();
		return new OperationRecord(key, records().nameOf(key), record.state(), record.attempt(), age(record.origin()),
				owner, record.origin(), owner != null && this.gate.isRunning(key, owner), record.leaseLeft(),
				record.retentionLeft(), receipt, readable(record), Advice.of(record.state(), receipt != null));
	}

	private @Nullable Outcome readable(RecordSnapshot record) {
		Outcome outcome = record.outcome();
		return (outcome != null) ? this.gate.decrypt(record.key(), outcome) : null;
	}

	/** Whether the record is known to be that of another application. */
	private boolean isForeign(RecordSnapshot record) {
		Origin origin = record.origin();
		return origin != null && !origin.application().equals(this.application);
	}

	private static @Nullable Duration age(@Nullable Origin origin) {
		if (origin == null) {
			return null;
		}
		Duration age = Duration.between(origin.claimedAt(), Instant.now());
		return age.isNegative() ? Duration.ZERO : age;
	}

	/**
	 * Looks up operations by the beginning of their key, such as the short hash in a log.
	 * The effort is bounded: a store with unsorted keys may give up.
	 */
	public OperationLookup find(KeyPrefix prefix) {
		List<OperationKey> running = this.gate.runningKeys()
			.filter(prefix::matches)
			.distinct()
			.limit(MAX_FOUND)
			.toList();
		FoundKeys found = running.isEmpty() ? records().findKeys(prefix, MAX_FOUND) : new FoundKeys(running, false);
		List<OperationRecord> known = found.keys()
			.stream()
			.map(this::find)
			.filter((record) -> record.state() != RecordState.ABSENT)
			.toList();
		return new OperationLookup(known, found.complete());
	}

	/**
	 * Lists operations whose outcome is unknown, newest first. What the store can see of
	 * them is described in {@code docs/troubleshooting.md}.
	 * @param limit how many are returned at most, at least 1
	 */
	public OperationLookup unknown(int limit) {
		UnknownRecords unknown = records().unknown(limit);
		Receipts asked = this.receipts;
		List<OperationRecord> operations = new ArrayList<>();
		for (RecordSnapshot record : unknown.records()) {
			if (isForeign(record)) {
				continue;
			}
			Receipt receipt = null;
			try {
				receipt = (asked != null) ? asked.find(record.key()).orElse(null) : null;
			}
			catch (StoreUnavailableException ex) {
				logger.warn("Could not look up the receipt of operation " + record.key()
						+ ", so that the list of unknown outcomes says nothing of receipts", ex);
				// Each further query might take as long as this one.
				asked = null;
			}
			operations.add(describe(record, receipt));
		}
		return new OperationLookup(List.copyOf(operations), unknown.complete());
	}

	/**
	 * Releases an operation that is unknown or stuck: it may run again. Refused while the
	 * lease of its owner lasts, unless forced; and always if its receipt proves that it
	 * took effect, or if it is not in progress.
	 * @param force whether to release it even while the lease of its owner lasts; its
	 * effect may then happen twice
	 */
	public InterventionResult release(OperationKey key, String by, String reason, boolean force) {
		return settle(Settlement.Kind.RELEASE, key, by, reason, force);
	}

	/**
	 * Confirms that an operation that is unknown or stuck took effect: it never runs
	 * again, and repeats are treated as those of a completed operation whose answer was
	 * not stored. Refused while the lease of its owner lasts, unless forced; and always
	 * if it is not in progress.
	 * @param force whether to confirm it even while the lease of its owner lasts; the
	 * answer of the owner is then not stored
	 */
	public InterventionResult confirm(OperationKey key, String by, String reason, boolean force) {
		return settle(Settlement.Kind.CONFIRM, key, by, reason, force);
	}

	private InterventionResult settle(Settlement.Kind kind, OperationKey key, String by, String reason, boolean force) {
		requireText("The operator", by);
		requireText("The reason of an intervention", reason);
		OperationRecord seen = find(key);
		Owner owner = seen.owner();
		if (owner == null || (seen.state() != RecordState.IN_PROGRESS && seen.state() != RecordState.UNKNOWN)) {
			return new InterventionResult.Refused(RefusedBecause.NOT_IN_PROGRESS, seen);
		}
		if (kind == Settlement.Kind.RELEASE && seen.receipt() != null) {
			return new InterventionResult.Refused(RefusedBecause.TOOK_EFFECT, seen);
		}
		Intervention intervention = new Intervention(Instant.now(), kind, key, seen.operation(), by, reason,
				seen.state() == RecordState.IN_PROGRESS);
		return settle(new Settlement(key, owner, seen.attempt(), kind, force, Owner.draw(this.random)), seen,
				intervention);
	}

	private InterventionResult settle(Settlement settlement, OperationRecord seen, Intervention intervention) {
		SettlementResult result;
		try {
			result = records().settle(settlement);
		}
		catch (StoreUnavailableException ex) {
			// It may have been made.
			line(intervention).with("result", "unconfirmed").write();
			throw ex;
		}
		if (result == SettlementResult.SETTLED) {
			this.interventions.add(intervention);
		}
		return switch (result) {
			case SETTLED -> new InterventionResult.Done(intervention, after(settlement, seen));
			case ALIVE -> new InterventionResult.Refused(RefusedBecause.OWNER_ALIVE, find(settlement.key()));
			case CHANGED -> new InterventionResult.Refused(RefusedBecause.CHANGED, find(settlement.key()));
		};
	}

	/** A record that cannot be read afterwards may still have been settled. */
	private OperationRecord after(Settlement settlement, OperationRecord seen) {
		try {
			return find(settlement.key());
		}
		catch (StoreUnavailableException ex) {
			logger.debug("Operation " + settlement.key() + " was settled, but its record could not be read", ex);
			boolean confirmed = settlement.kind() == Settlement.Kind.CONFIRM;
			RecordState state = confirmed ? RecordState.COMPLETED : RecordState.ISSUED;
			return new OperationRecord(seen.key(), seen.storeName(), state, seen.attempt(),
					confirmed ? seen.age() : null, confirmed ? settlement.by() : null, confirmed ? seen.origin() : null,
					false, Duration.ZERO, seen.retentionLeft(), seen.receipt(), confirmed ? Outcome.TOMBSTONE : null,
					Advice.of(state, seen.receipt() != null));
		}
	}

	private static AuditLine line(Intervention intervention) {
		AuditLine line = AuditLine.of(intervention.action().name().toLowerCase(Locale.ROOT));
		if (intervention.operation() != null) {
			line.with("operation", intervention.operation());
		}
		return line.with("key", intervention.key())
			.with("by", intervention.by())
			.quoted("reason", intervention.reason())
			.with("forced", intervention.forced());
	}

	private static void requireText(String what, String value) {
		if (value.isBlank()) {
			throw new IllegalArgumentException(what + " must not be blank: it is written to the audit log");
		}
	}

	private RecordAdministration records() {
		if (this.store instanceof RecordAdministration records) {
			return records;
		}
		throw new UnsupportedOperationException("The store " + this.store.getClass().getName()
				+ " shows no records to operators: let it implement " + RecordAdministration.class.getName());
	}

	/**
	 * The last {@value io.idempotent.audit.AuditTrail#CAPACITY} interventions that were
	 * made on this node since it started, newest first.
	 */
	public List<Intervention> interventions() {
		return this.interventions.newestFirst();
	}

	/** The number of claims that this node renews; those without a lease do not count. */
	public int running() {
		return (int) this.gate.runningKeys().count();
	}

	/**
	 * Operations that were found.
	 *
	 * @param complete whether there are certainly no others; {@code false} if the search
	 * was given up, found more than it returns, or does not see all
	 */
	public record OperationLookup(List<OperationRecord> records, boolean complete) {
	}

}
