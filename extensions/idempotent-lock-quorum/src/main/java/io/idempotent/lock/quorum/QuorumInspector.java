package io.idempotent.lock.quorum;

import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

import io.idempotent.lock.LockMode;
import io.idempotent.lock.engine.InterruptibleWait;
import io.idempotent.lock.engine.LockHolder;
import io.idempotent.lock.engine.LockState;
import io.idempotent.lock.quorum.LockServer.ServerState;
import io.idempotent.lock.quorum.Votes.Result;
import org.jspecify.annotations.Nullable;

/**
 * Asks the servers who holds a lock, and takes it away. Only the owner that a majority
 * reports holds it. A grant of fewer servers is of an unfinished ballot, and ends with
 * its lease.
 */
record QuorumInspector(QuorumServers servers, QuorumOwners owners) {

	LockState inspect(String lock) {
		List<ServerState> replies = ask(lock, "inspect");
		long counter = replies.stream().mapToLong(ServerState::counter).max().orElse(0);
		List<LockHolder> holders = holder(replies).map(this::toHolder).stream().toList();
		return new LockState(holders, null, (counter > 0) ? counter : null);
	}

	/** Releases the lock where the owner of the majority has it, not a later one. */
	boolean forceRelease(String lock) {
		Optional<Map.Entry<String, List<ServerState>>> holder = holder(ask(lock, "release"));
		if (holder.isEmpty()) {
			return false;
		}
		String owner = holder.get().getKey();
		Votes<Boolean> votes = this.servers.ask((server) -> server.release(lock, owner, Duration.ZERO, true),
				(released) -> true);
		requireMajority(votes, lock, "release");
		return votes.yes().contains(true);
	}

	private List<ServerState> ask(String lock, String what) {
		Votes<ServerState> votes = InterruptibleWait.uninterruptibly((wait) -> {
			this.servers.connect(wait);
			return this.servers.ask((server) -> server.inspect(lock), (state) -> true);
		});
		requireMajority(votes, lock, what);
		return votes.yes();
	}

	/** Waits for all servers, and requires that a majority has replied. */
	private void requireMajority(Votes<?> votes, String lock, String what) {
		Result result = InterruptibleWait.uninterruptibly((wait) -> votes.awaitAll(this.servers.timeout(), wait));
		if (result != Result.YES) {
			throw votes.unavailable(what + " the lock '" + lock + "'");
		}
	}

	private Optional<Map.Entry<String, List<ServerState>>> holder(List<ServerState> replies) {
		return replies.stream()
			.filter((reply) -> !reply.owner().isEmpty())
			.collect(Collectors.groupingBy(ServerState::owner))
			.entrySet()
			.stream()
			.filter((entry) -> entry.getValue().size() >= this.servers.majority())
			.findFirst();
	}

	/** The lease ends when fewer servers than a majority have it. */
	private LockHolder toHolder(Map.Entry<String, List<ServerState>> entry) {
		List<Long> left = entry.getValue()
			.stream()
			.map(ServerState::millisLeft)
			.sorted(Comparator.reverseOrder())
			.toList();
		return new LockHolder(entry.getKey(), QuorumOwners.node(entry.getKey()),
				this.owners.isOfThisEngine(entry.getKey()), LockMode.WRITE, token(entry.getValue()),
				Duration.ofMillis(Math.max(0, left.get(this.servers.majority() - 1))));
	}

	/** The counter of a majority: another ballot may have raised that of a server. */
	private @Nullable Long token(List<ServerState> granted) {
		return granted.stream()
			.collect(Collectors.groupingBy(ServerState::counter, Collectors.counting()))
			.entrySet()
			.stream()
			.filter((counter) -> counter.getKey() > 0 && counter.getValue() >= this.servers.majority())
			.map(Map.Entry::getKey)
			.findFirst()
			.orElse(null);
	}

}
