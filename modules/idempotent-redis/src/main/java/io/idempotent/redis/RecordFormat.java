package io.idempotent.redis;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.ToLongFunction;

import io.idempotent.logging.DurationText;
import io.idempotent.store.ClaimId;
import io.idempotent.store.ClaimRequest;
import io.idempotent.store.ClaimResult;
import io.idempotent.store.Fingerprint;
import io.idempotent.store.IdempotencyStore.Ownership;
import io.idempotent.store.OperationKey;
import io.idempotent.store.Origin;
import io.idempotent.store.Outcome;
import io.idempotent.store.Owner;
import io.idempotent.store.RecordSnapshot;
import io.idempotent.store.RecordState;
import io.idempotent.store.UnreadableRecordException;
import io.idempotent.support.Digest;
import org.jspecify.annotations.Nullable;

/** Writes and reads records in the format of {@code record.lua}, and reads replies. */
final class RecordFormat {

	private static final byte VERSION = 1;

	private static final byte ISSUED = 1;

	private static final byte CLAIMED = 2;

	private static final byte COMPLETED = 3;

	private static final byte TOMBSTONE = 4;

	private static final byte BURNT = 5;

	private static final int FIRST_ATTEMPT = 1;

	private static final int STATE = 1;

	private static final int ATTEMPT = 3;

	private static final int ISSUED_LENGTH = ATTEMPT + Integer.BYTES;

	private static final int FINGERPRINT = ISSUED_LENGTH + Owner.LENGTH;

	private static final int TOMBSTONE_LENGTH = FINGERPRINT + Digest.LENGTH;

	private static final int CLAIMED_LENGTH = TOMBSTONE_LENGTH + 3 * Long.BYTES;

	private static final int ANSWER = TOMBSTONE_LENGTH + Integer.BYTES;

	private static final int UNREADABLE = -1;

	private static final int HELD = 1;

	private RecordFormat() {
	}

	/** The first number of a reply, unless the script could not read the record. */
	static int tag(List<Object> reply, OperationKey key) {
		int tag = Math.toIntExact(number(reply, 0));
		if (tag == UNREADABLE) {
			throw UnreadableRecordException.of(key, "Redis",
					new String((byte[]) reply.get(1), StandardCharsets.US_ASCII), expiry(number(reply, 2)));
		}
		return tag;
	}

	static Ownership ownership(ClaimId claim, List<Object> reply) {
		return (tag(reply, claim.key()) == HELD) ? Ownership.HELD : Ownership.LOST;
	}

	private static String expiry(long millis) {
		return (millis < 0) ? "never, it has no time to live: delete it"
				: "in " + DurationText.ofMeasured(Duration.ofMillis(millis));
	}

	static long number(List<Object> reply, int index) {
		return ((Number) reply.get(index)).longValue();
	}

	static byte[] issued() {
		byte[] record = new byte[ISSUED_LENGTH];
		header(ByteBuffer.wrap(record), ISSUED, 0);
		return record;
	}

	/** The record of the first claim of a key. */
	static byte[] claimed(ClaimRequest request, long lease, long retention) {
		byte state = (request.term() == ClaimRequest.Term.BURNT) ? BURNT : CLAIMED;
		return record(CLAIMED_LENGTH, state, request.claimId(FIRST_ATTEMPT),
				(buffer) -> buffer.putLong(lease).putLong(retention).putLong(0));
	}

	static byte[] finished(ClaimId claim, Outcome outcome) {
		if (outcome instanceof Outcome.Stored stored) {
			byte[] answer = stored.answer();
			return record(ANSWER + answer.length, COMPLETED, claim,
					(buffer) -> buffer.putInt(answer.length).put(answer));
		}
		return record(TOMBSTONE_LENGTH, TOMBSTONE, claim, (buffer) -> {
		});
	}

	/** The length is that of the record without its origin. */
	private static byte[] record(int length, byte state, ClaimId claim, Consumer<ByteBuffer> body) {
		Origin origin = claim.origin();
		byte[] encoded = (origin != null) ? origin.encoded().getBytes(StandardCharsets.UTF_8) : new byte[0];
		byte[] record = new byte[length + encoded.length + Short.BYTES];
		ByteBuffer buffer = header(ByteBuffer.wrap(record), state, claim.attempt()).putLong(claim.owner().high())
			.putLong(claim.owner().low())
			.put(claim.fingerprint().digest().bytes());
		body.accept(buffer);
		buffer.put(encoded).putShort((short) encoded.length);
		return record;
	}

	private static ByteBuffer header(ByteBuffer record, byte state, int attempt) {
		byte noFlags = 0;
		return record.put(VERSION).put(state).put(noFlags).putInt(attempt);
	}

	static byte[] id(int attempt, Owner owner) {
		return ByteBuffer.allocate(Integer.BYTES + Owner.LENGTH)
			.putInt(attempt)
			.putLong(owner.high())
			.putLong(owner.low())
			.array();
	}

	/** What a claim and its finished record have in common. */
	static byte[] flagsToFingerprint(byte[] record) {
		return Arrays.copyOfRange(record, STATE + 1, TOMBSTONE_LENGTH);
	}

	/** Reads the origin of a record that has been claimed. */
	static @Nullable Origin origin(byte[] record) {
		int end = record.length - Short.BYTES;
		int length = originLength(record);
		return (length > 0) ? Origin.decode(new String(record, end - length, length, StandardCharsets.UTF_8)) : null;
	}

	private static int originLength(byte[] record) {
		return Short.toUnsignedInt(ByteBuffer.wrap(record).getShort(record.length - Short.BYTES));
	}

	static RecordSnapshot snapshot(OperationKey key, byte[] record, Duration leaseLeft, Duration retentionLeft) {
		Outcome outcome = switch (record[STATE]) {
			case ISSUED, CLAIMED -> null;
			default -> outcome(record);
		};
		boolean issued = record[STATE] == ISSUED;
		return new RecordSnapshot(key, state(record[STATE], leaseLeft), attempt(record),
				issued ? null : Owner.of(Arrays.copyOfRange(record, ISSUED_LENGTH, TOMBSTONE_LENGTH)),
				issued ? null : origin(record), leaseLeft, retentionLeft, outcome);
	}

	private static RecordState state(byte state, Duration leaseLeft) {
		return switch (state) {
			case ISSUED -> RecordState.ISSUED;
			case CLAIMED -> leaseLeft.isZero() ? RecordState.UNKNOWN : RecordState.IN_PROGRESS;
			default -> RecordState.COMPLETED;
		};
	}

	/**
	 * Whether a value is the record of a completed or burnt operation, as
	 * {@code record.lua} checks it.
	 */
	static boolean isFinished(byte[] value) {
		if (value.length < TOMBSTONE_LENGTH + Short.BYTES || value[0] != VERSION) {
			return false;
		}
		int rest = value.length - TOMBSTONE_LENGTH - Short.BYTES - originLength(value);
		return switch (value[STATE]) {
			case COMPLETED -> rest >= Integer.BYTES && rest - Integer.BYTES == answerLength(value);
			case TOMBSTONE -> rest == 0;
			case BURNT -> rest == CLAIMED_LENGTH - TOMBSTONE_LENGTH;
			default -> false;
		};
	}

	static boolean isOf(byte[] done, Owner owner) {
		return Arrays.equals(done, ISSUED_LENGTH, FINGERPRINT, owner.bytes(), 0, Owner.LENGTH);
	}

	private static Fingerprint fingerprint(byte[] done) {
		return new Fingerprint(Digest.of(Arrays.copyOfRange(done, FINGERPRINT, TOMBSTONE_LENGTH)));
	}

	static int attempt(byte[] done) {
		return ByteBuffer.wrap(done).getInt(ATTEMPT);
	}

	static Outcome outcome(byte[] done) {
		return (done[STATE] == COMPLETED)
				? Outcome.stored(Arrays.copyOfRange(done, ANSWER, ANSWER + answerLength(done))) : Outcome.TOMBSTONE;
	}

	private static int answerLength(byte[] completed) {
		return ByteBuffer.wrap(completed).getInt(TOMBSTONE_LENGTH);
	}

	/**
	 * {@code null} if the script decides, which reads back a claim of this owner.
	 * @param remains how long a record of this attempt and owner remains, if to be cached
	 */
	static @Nullable ClaimResult answer(byte[] present, ClaimRequest request, ToLongFunction<byte[]> remains) {
		if (!isFinished(present) || isOf(present, request.owner())) {
			return null;
		}
		Fingerprint recorded = fingerprint(present);
		if (!recorded.equals(request.fingerprint())) {
			return new ClaimResult.KeyReused(recorded);
		}
		return completed(present,
				request.caching() ? remains.applyAsLong(Arrays.copyOfRange(present, ATTEMPT, FINGERPRINT)) : 0);
	}

	static ClaimResult completed(byte[] done, long retentionLeft) {
		return new ClaimResult.Completed(outcome(done), attempt(done), Duration.ofMillis(Math.max(0, retentionLeft)),
				origin(done));
	}

}
