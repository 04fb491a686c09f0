package io.idempotent.redis;

import io.idempotent.redis.StoreCommands.Ahead;
import io.idempotent.redis.StoreCommands.ScriptKeys;
import io.idempotent.store.ClaimId;
import io.idempotent.store.IdempotencyStore.Ownership;
import io.idempotent.store.StoreUnavailableException;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/**
 * Writes finished records in the place of claims, each in one round trip. A large one is
 * set under a key of its own first, which the script renames: of an argument, Lua hashes
 * every byte, which costs Redis more than all else that a script does.
 */
final class RedisCompletions {

	/** From this size on, hashing a record costs Redis more than a second command. */
	private static final int LARGE = 4096;

	/** How long a record remains that is not renamed, as when a connection breaks. */
	private static final long MILLIS_TO_RENAME = 60_000;

	private static final int MOVED = 1;

	private static final int REFUSED = 3;

	private static final String WHAT = "completion";

	private static final Log logger = LogFactory.getLog(RedisCompletions.class);

	private final RedisCalls redis;

	private final RedisKeys keys;

	private volatile boolean renames;

	RedisCompletions(RedisCalls redis, RedisKeys keys) {
		this.redis = redis;
		this.keys = keys;
		this.renames = redis.setsAhead();
	}

	Ownership complete(ClaimId claim, byte[] finished, long retention) {
		return (finished.length >= LARGE && this.renames && move(claim, finished, retention)) ? Ownership.HELD
				: RecordFormat.ownership(claim, this.redis.runUnlessSuspected(LuaScript.COMPLETE, WHAT, claim.key(),
						this.keys.key(claim.key()), finished, retention));
	}

	private boolean move(ClaimId claim, byte[] finished, long retention) {
		ScriptKeys keys = new ScriptKeys(this.keys.key(claim.key()),
				new Ahead(this.keys.ahead(claim), finished, MILLIS_TO_RENAME));
		long outcome;
		try {
			outcome = RecordFormat.number(this.redis.runUnlessSuspected(LuaScript.REPLACE, WHAT, claim.key(), keys,
					RecordFormat.flagsToFingerprint(finished), retention), 0);
		}
		catch (StoreUnavailableException ex) {
			if (isRefusal(ex)) {
				return false;
			}
			throw ex;
		}
		if (outcome == REFUSED) {
			this.renames = false;
			logger.info(
					this.redis + " refuses RENAME in a script: large answers cost it twice the processor time or more. "
							+ "Permit the command (ACL SETUSER ... +rename)");
		}
		return outcome == MOVED;
	}

	/** Such as of two keys in a Cluster while their slot moves. One key may do. */
	private static boolean isRefusal(StoreUnavailableException failure) {
		return failure.getCause() instanceof CommandNotExecutedException refused
				&& refused.reason() == CommandNotExecutedException.Reason.REFUSED;
	}

}
