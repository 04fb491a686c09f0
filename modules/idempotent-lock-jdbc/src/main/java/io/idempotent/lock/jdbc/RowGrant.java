package io.idempotent.lock.jdbc;

import java.time.Duration;
import java.util.OptionalLong;

import io.idempotent.lock.LockUnavailableException;
import io.idempotent.lock.engine.LockGrant;
import io.idempotent.lock.engine.LockRequest;
import io.idempotent.support.Interrupts;
import org.jspecify.annotations.Nullable;

/** A lock that was granted with a lease: a row that its owner has taken. */
record RowGrant(LockRow row, long token, Duration lease) implements LockGrant {

	@Override
	public GrantState renew(Duration lease) {
		return GrantState.of(Interrupts.deferDuring(() -> this.row.renew(lease)));
	}

	@Override
	public GrantState release(Duration stayLocked) {
		return GrantState.of(Interrupts.deferDuring(() -> this.row.release(stayLocked)));
	}

	@Override
	public @Nullable LockGrant handOff(LockRequest next) {
		if (!(this.row instanceof OwnedRow owned)) {
			return null;
		}
		OwnedRow successor = new OwnedRow(this.row.database(), this.row.name());
		try {
			OptionalLong token = Interrupts.deferDuring(() -> successor.takeFrom(owned, next.lease()));
			return token.isPresent() ? new RowGrant(successor, token.getAsLong(), next.lease()) : null;
		}
		catch (LockUnavailableException ex) {
			successor.withdraw(ex);
			throw ex;
		}
	}

}
