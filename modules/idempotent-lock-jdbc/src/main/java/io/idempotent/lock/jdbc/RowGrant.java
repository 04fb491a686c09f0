package io.idempotent.lock.jdbc;

import java.time.Duration;
import java.util.OptionalLong;

import io.idempotent.lock.LockMode;
import io.idempotent.lock.LockUnavailableException;
import io.idempotent.lock.engine.LockGrant;
import io.idempotent.lock.engine.LockRequest;
import org.jspecify.annotations.Nullable;

/**
 * A lock that was granted with a lease: a row that its owner has taken.
 *
 * @param row the row
 * @param token the fencing token
 * @param lease how long the grant lives without renewal
 */
record RowGrant(OwnedRow row, long token, Duration lease) implements LockGrant {

	@Override
	public GrantState renew(Duration lease) {
		return this.row.renew(lease) ? GrantState.HELD : GrantState.LOST;
	}

	@Override
	public GrantState release(Duration stayLocked) {
		return this.row.release(stayLocked) ? GrantState.HELD : GrantState.LOST;
	}

	@Override
	public @Nullable LockGrant handOff(LockRequest next) {
		if (next.mode() != LockMode.WRITE) {
			return null;
		}
		OwnedRow successor = this.row.forNewOwner();
		try {
			OptionalLong token = this.row.handOff(successor, next.lease());
			return token.isPresent() ? new RowGrant(successor, token.getAsLong(), next.lease()) : null;
		}
		catch (LockUnavailableException ex) {
			successor.withdraw(ex);
			throw ex;
		}
	}

	@Override
	public @Nullable LockGrant downgrade() {
		return this.row.downgrade(this.lease).map((reader) -> new SharedGrant(reader, this.lease)).orElse(null);
	}

}
