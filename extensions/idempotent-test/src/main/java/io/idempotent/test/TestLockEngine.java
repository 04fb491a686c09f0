package io.idempotent.test;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import io.idempotent.lock.LockMode;
import io.idempotent.lock.engine.LockEngine;
import io.idempotent.lock.engine.LockGrant;
import io.idempotent.lock.engine.LockRequest;
import io.idempotent.lock.engine.LockState;
import io.idempotent.lock.local.LocalLockEngine;
import org.jspecify.annotations.Nullable;

/**
 * Locks in memory. Held locks end before the next test, so that a test is not blocked by
 * a lock that another one has not released.
 */
final class TestLockEngine implements LockEngine, Resettable {

	private final LocalLockEngine locks = new LocalLockEngine();

	private final Set<Grant> grants = ConcurrentHashMap.newKeySet();

	@Override
	public String name() {
		return this.locks.name();
	}

	@Override
	public boolean supports(LockMode mode) {
		return this.locks.supports(mode);
	}

	@Override
	public LockState inspect(String name) {
		return this.locks.inspect(name);
	}

	@Override
	public boolean forceRelease(String name) {
		return this.locks.forceRelease(name);
	}

	@Override
	public @Nullable LockGrant acquire(LockRequest request, Duration wait) throws InterruptedException {
		return remember(this.locks.acquire(request, wait));
	}

	private @Nullable LockGrant remember(@Nullable LockGrant granted) {
		if (granted == null) {
			return null;
		}
		Grant grant = new Grant(granted);
		this.grants.add(grant);
		return grant;
	}

	@Override
	public void reset() {
		List.copyOf(this.grants).forEach(Grant::end);
	}

	private final class Grant implements LockGrant {

		private final LockGrant grant;

		private volatile Runnable whenEnded = () -> {
		};

		private Grant(LockGrant grant) {
			this.grant = grant;
		}

		private void end() {
			release(Duration.ZERO);
			this.whenEnded.run();
		}

		@Override
		public long token() {
			return this.grant.token();
		}

		@Override
		public Duration lease() {
			return this.grant.lease();
		}

		@Override
		public boolean isValid() {
			return this.grant.isValid();
		}

		@Override
		public void whenEnded(Runnable action) {
			this.whenEnded = action;
		}

		@Override
		public GrantState renew(Duration lease) {
			return this.grant.renew(lease);
		}

		@Override
		public GrantState release(Duration stayLocked) {
			if (stayLocked.isZero()) {
				TestLockEngine.this.grants.remove(this);
			}
			return this.grant.release(stayLocked);
		}

		@Override
		public @Nullable LockGrant handOff(LockRequest next) {
			LockGrant replacement = remember(this.grant.handOff(next));
			if (replacement != null) {
				TestLockEngine.this.grants.remove(this);
			}
			return replacement;
		}

	}

}
