package com.example;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

import io.idempotent.lock.engine.InterruptibleWait;
import io.idempotent.lock.engine.LockEngine;
import io.idempotent.lock.engine.LockGrant;
import io.idempotent.lock.engine.LockRequest;

/**
 * The simplest engine with leases: a map that all nodes share, and ask every 5 ms.
 */
class MapLockEngine implements LockEngine {

	private final Server server;

	MapLockEngine(Server server) {
		this.server = server;
	}

	@Override
	public String name() {
		return "map";
	}

	@Override
	public LockGrant acquire(LockRequest request, Duration wait) throws InterruptedException {
		try (InterruptibleWait waiting = InterruptibleWait.of(request)) {
			long end = System.nanoTime() + wait.toNanos();
			LockGrant grant = this.server.grant(request);
			while (grant == null && end - System.nanoTime() > 0) {
				waiting.await(TimeUnit.MILLISECONDS.toNanos(5), (nanos) -> {
					TimeUnit.NANOSECONDS.sleep(nanos);
					return false;
				});
				grant = this.server.grant(request);
			}
			return grant;
		}
	}

	/**
	 * What the nodes share.
	 */
	static final class Server {

		private final Map<String, Grant> held = new HashMap<>();

		private final AtomicLong tokens = new AtomicLong();

		private synchronized LockGrant grant(LockRequest request) {
			Grant holder = this.held.get(request.name());
			if (holder != null && holder.endsAt - System.nanoTime() > 0) {
				return null;
			}
			Grant grant = new Grant(this, request, this.tokens.incrementAndGet());
			this.held.put(request.name(), grant);
			return grant;
		}

	}

	private static final class Grant implements LockGrant {

		private final Server server;

		private final LockRequest request;

		private final long token;

		private long endsAt;

		private boolean released;

		private Grant(Server server, LockRequest request, long token) {
			this.server = server;
			this.request = request;
			this.token = token;
			this.endsAt = System.nanoTime() + request.lease().toNanos();
		}

		@Override
		public long token() {
			return this.token;
		}

		@Override
		public Duration lease() {
			return this.request.lease();
		}

		@Override
		public GrantState renew(Duration lease) {
			synchronized (this.server) {
				if (!stillHeld()) {
					return GrantState.LOST;
				}
				this.endsAt = System.nanoTime() + lease.toNanos();
				return GrantState.HELD;
			}
		}

		@Override
		public GrantState release(Duration stayLocked) {
			synchronized (this.server) {
				if (!stillHeld()) {
					return GrantState.LOST;
				}
				this.released = true;
				this.endsAt = System.nanoTime() + stayLocked.toNanos();
				return GrantState.HELD;
			}
		}

		private boolean stillHeld() {
			return !this.released && this.server.held.get(this.request.name()) == this
					&& this.endsAt - System.nanoTime() > 0;
		}

	}

}
