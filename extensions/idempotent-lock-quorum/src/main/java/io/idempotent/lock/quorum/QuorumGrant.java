package io.idempotent.lock.quorum;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

import io.idempotent.lock.engine.InterruptibleWait;
import io.idempotent.lock.engine.LockGrant;
import io.idempotent.lock.quorum.LockServer.Holder;
import io.idempotent.lock.quorum.LockServer.TakeReply;
import io.idempotent.lock.quorum.Votes.Result;

/** A lock that a majority has granted, until its lease ends. */
final class QuorumGrant implements LockGrant {

	private final QuorumServers servers;

	private final String lock;

	private final String owner;

	private final long token;

	private final Duration validity;

	private final Votes<TakeReply> takes;

	/** The servers that joined later, with their replies. */
	private final Map<LockServer, CompletableFuture<?>> unsettled = new HashMap<>();

	private boolean released;

	QuorumGrant(QuorumServers servers, String lock, String owner, long token, Duration validity,
			Votes<TakeReply> takes) {
		this.servers = servers;
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
	public GrantState renew(Duration lease) {
		Duration serverLease = this.servers.lease(lease);
		Votes<Holder> votes = this.servers.ask((server) -> server.renew(this.lock, this.owner, serverLease),
				(holder) -> holder == Holder.THIS);
		GrantState state = decide(votes, "renew");
		if (state == GrantState.LOST) {
			sendRelease(Duration.ZERO, false);
		}
		else {
			this.servers.all().forEach((server) -> joinIfFree(server, votes.reply(server), serverLease));
		}
		return state;
	}

	/**
	 * Takes the lock also on a server that was unavailable when it was acquired, or has
	 * lost its memory. The server counts from the next renewal on, if it still has the
	 * lock then: a lock that was free in between does not count as a vote.
	 */
	private void joinIfFree(LockServer server, CompletableFuture<Holder> renewal, Duration lease) {
		CompletableFuture<?> unused = renewal.thenAccept((holder) -> {
			if (holder == Holder.NONE) {
				join(server, lease);
			}
		});
	}

	private synchronized void join(LockServer server, Duration lease) {
		if (!this.released && pending(server).isDone()) {
			this.unsettled.put(server, server.join(this.lock, this.owner, lease, this.token));
		}
	}

	@Override
	public GrantState release(Duration stayLocked) {
		return decide(sendRelease(stayLocked, true), "release");
	}

	/** To each server after its reply to any command that may take the lock. */
	private synchronized Votes<Boolean> sendRelease(Duration stayLocked, boolean publish) {
		this.released = true;
		return this.servers.ask(
				(server) -> settled(server)
					.thenCompose((settled) -> server.release(this.lock, this.owner, stayLocked, publish)),
				Boolean::booleanValue);
	}

	private CompletableFuture<?> settled(LockServer server) {
		return pending(server).handle((reply, failure) -> true);
	}

	/** The last reply to a command that may take the lock on a server. */
	private CompletableFuture<?> pending(LockServer server) {
		return this.unsettled.getOrDefault(server, this.takes.reply(server));
	}

	private GrantState decide(Votes<?> votes, String what) {
		Result result = InterruptibleWait.uninterruptibly((wait) -> votes.await(this.servers.timeout(), wait));
		if (result == Result.YES) {
			return GrantState.HELD;
		}
		if (result == Result.NO) {
			return GrantState.LOST;
		}
		throw votes.unavailable(what + " the lock '" + this.lock + "'");
	}

}
