package io.idempotent.lock.quorum;

import java.time.Duration;

import io.idempotent.lock.LockUnavailableException;
import io.idempotent.lock.engine.InterruptibleWait;
import io.idempotent.lock.engine.LockGrant;
import io.idempotent.lock.quorum.Votes.Result;

/**
 * A lock that a majority has granted, until its lease ends.
 */
final class QuorumGrant implements LockGrant {

	private final QuorumServers servers;

	private final LeaseDrift drift;

	private final String lock;

	private final String owner;

	private final long token;

	private final Duration validity;

	private final Votes<TakeReply> takes;

	QuorumGrant(QuorumServers servers, LeaseDrift drift, String lock, String owner, long token, Duration validity,
			Votes<TakeReply> takes) {
		this.servers = servers;
		this.drift = drift;
		this.lock = lock;
		this.owner = owner;
		this.token = token;
		this.validity = validity;
		this.takes = takes;
	}

	@Override
	public long token() {
		return this.token;
	}

	@Override
	public Duration lease() {
		return this.validity;
	}

	@Override
	public Ownership renew(Duration lease) {
		Duration serverLease = this.drift.lease(lease);
		Ownership ownership = decide(
				this.servers.ask((server) -> server.renew(this.lock, this.owner, serverLease), Boolean::booleanValue),
				"renew");
		if (ownership == Ownership.LOST) {
			release(Duration.ZERO, false);
		}
		return ownership;
	}

	@Override
	public Ownership release(Duration stayLocked) {
		return decide(release(stayLocked, true), "release");
	}

	/**
	 * Sends the release to each server when that has replied to the first phase, or will
	 * not reply any more.
	 */
	private Votes<Boolean> release(Duration stayLocked, boolean publish) {
		return this.servers.ask(
				(server) -> this.takes.reply(server)
					.handle((reply, failure) -> true)
					.thenCompose((replied) -> server.release(this.lock, this.owner, stayLocked, publish)),
				Boolean::booleanValue);
	}

	private Ownership decide(Votes<Boolean> votes, String what) {
		Result result = awaitUninterruptibly(votes);
		if (result == Result.YES) {
			return Ownership.HELD;
		}
		if (result == Result.NO) {
			return Ownership.LOST;
		}
		throw unavailable(votes, what);
	}

	private LockUnavailableException unavailable(Votes<Boolean> votes, String what) {
		return votes.unavailable(what + " the lock '" + this.lock + "'");
	}

	private Result awaitUninterruptibly(Votes<Boolean> votes) {
		try (InterruptibleWait waiting = InterruptibleWait.throughInterrupts()) {
			return votes.await(this.servers.timeout(), waiting);
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException("An uninterruptible wait was interrupted", ex);
		}
	}

}
