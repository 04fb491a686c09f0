package io.idempotent.lock.redis;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

import io.idempotent.lock.LockUnavailableException;
import io.idempotent.lock.engine.LockGrant;
import io.idempotent.lock.engine.LockRequest;
import org.jspecify.annotations.Nullable;

/** A lock granted in Redis, until its lease ends. */
record RedisGrant(LockOwner owner, long token, Duration lease) implements LockGrant {

	/** The reply is the token, or another positive number if the lock is shared. */
	static RedisGrant of(LockOwner owner, long reply, Duration lease) {
		return new RedisGrant(owner, owner.isShared() ? 0 : reply, lease);
	}

	@Override
	public GrantState renew(Duration lease) {
		return GrantState.of(call(() -> this.owner.renew(lease), "renew "));
	}

	@Override
	public GrantState release(Duration stayLocked) {
		return GrantState.of(call(() -> this.owner.release(stayLocked), "release "));
	}

	/** Does nothing for fair locks, whose queue is in Redis, and while readers wait. */
	@Override
	public @Nullable LockGrant handOff(LockRequest next) {
		if (next.fair() || this.owner.isFair() || this.owner.isShared()) {
			return null;
		}
		LockOwner successor = this.owner.successor();
		try {
			long reply = call(() -> successor.takeFrom(this.owner, next.lease()), "hand off ");
			return (reply > 0) ? of(successor, reply, next.lease()) : null;
		}
		catch (LockUnavailableException ex) {
			successor.giveBack(next.lease());
			throw ex;
		}
	}

	private <T> T call(Supplier<CompletableFuture<T>> command, String what) {
		return this.owner.client().call(command, what + this.owner);
	}

}
