package io.idempotent.redis;

import java.nio.ByteBuffer;
import java.util.Arrays;

import io.idempotent.store.ClaimId;
import io.idempotent.store.ClaimRequest;
import io.idempotent.store.Fingerprint;
import io.idempotent.store.Outcome;
import io.idempotent.store.Owner;
import io.idempotent.support.Digest;

/**
 * Writes and reads records; {@code record.lua} documents the whole format.
 */
final class RecordFormat {

	private static final byte VERSION = 1;

	private static final byte ISSUED = 1;

	private static final byte CLAIMED = 2;

	private static final byte COMPLETED = 3;

	private static final byte TOMBSTONE = 4;

	private static final byte BURNT = 5;

	private static final int FIRST = 1;

	private static final int STATE = 1;

	private static final int ATTEMPT = 3;

	private static final int ISSUED_LENGTH = ATTEMPT + Integer.BYTES;

	private static final int TOMBSTONE_LENGTH = ISSUED_LENGTH + Owner.LENGTH + Digest.LENGTH;

	private static final int CLAIMED_LENGTH = TOMBSTONE_LENGTH + 2 * Long.BYTES;

	private static final int ANSWER = TOMBSTONE_LENGTH + Integer.BYTES;

	private RecordFormat() {
	}

	static byte[] issued() {
		return header(ISSUED_LENGTH, ISSUED, 0).array();
	}

	/**
	 * Returns the record of the first claim of a key.
	 */
	static byte[] claimed(ClaimRequest request, long lease, long retention) {
		byte state = (request.term() == ClaimRequest.Term.BURNT) ? BURNT : CLAIMED;
		return claimed(CLAIMED_LENGTH, state, FIRST, request.owner(), request.fingerprint()).putLong(lease)
			.putLong(retention)
			.array();
	}

	static byte[] finished(ClaimId claim, Outcome outcome) {
		if (outcome instanceof Outcome.Stored stored) {
			byte[] answer = stored.answer();
			return finished(ANSWER + answer.length, COMPLETED, claim).putInt(answer.length).put(answer).array();
		}
		return finished(TOMBSTONE_LENGTH, TOMBSTONE, claim).array();
	}

	private static ByteBuffer finished(int length, byte state, ClaimId claim) {
		return claimed(length, state, claim.attempt(), claim.owner(), claim.fingerprint());
	}

	private static ByteBuffer claimed(int length, byte state, int attempt, Owner owner, Fingerprint fingerprint) {
		return header(length, state, attempt).putLong(owner.high())
			.putLong(owner.low())
			.put(fingerprint.digest().bytes());
	}

	private static ByteBuffer header(int length, byte state, int attempt) {
		byte noFlags = 0;
		return ByteBuffer.allocate(length).put(VERSION).put(state).put(noFlags).putInt(attempt);
	}

	/**
	 * Returns the identity of a claim in a record: its attempt and its owner.
	 */
	static byte[] id(ClaimId claim) {
		return ByteBuffer.allocate(Integer.BYTES + Owner.LENGTH)
			.putInt(claim.attempt())
			.putLong(claim.owner().high())
			.putLong(claim.owner().low())
			.array();
	}

	static int attempt(byte[] done) {
		return ByteBuffer.wrap(done).getInt(ATTEMPT);
	}

	static Outcome outcome(byte[] done) {
		return (done[STATE] == COMPLETED) ? Outcome.stored(Arrays.copyOfRange(done, ANSWER, done.length))
				: Outcome.TOMBSTONE;
	}

}
