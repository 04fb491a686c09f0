package io.idempotent.lock.quorum;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import io.idempotent.embedded.EmbeddedRedis;
import io.idempotent.testing.FaultyProxy;

/**
 * Five Redis servers that know nothing of each other, and a network to each.
 */
final class FiveServers implements AutoCloseable {

	static final Duration TIMEOUT = Duration.ofSeconds(1);

	private final List<EmbeddedRedis> servers = new ArrayList<>();

	private final List<FaultyProxy> networks = new ArrayList<>();

	private FiveServers() {
		for (int i = 0; i < 5; i++) {
			EmbeddedRedis server = EmbeddedRedis.start();
			this.servers.add(server);
			this.networks.add(new FaultyProxy(server.host(), server.port()));
		}
	}

	static FiveServers start() {
		return new FiveServers();
	}

	List<EmbeddedRedis> servers() {
		return this.servers;
	}

	EmbeddedRedis server(int index) {
		return this.servers.get(index);
	}

	/** The network between one server and the engines that {@link #distant} makes. */
	FaultyProxy network(int index) {
		return this.networks.get(index);
	}

	/** An engine of a node that is connected directly, and patient on a busy machine. */
	QuorumLockEngine node() {
		return new QuorumLockEngine(urls(), TIMEOUT.multipliedBy(5), "");
	}

	List<String> urls() {
		return this.servers.stream().map((server) -> "redis://127.0.0.1:" + server.port()).toList();
	}

	/** An engine of a node behind the networks. */
	QuorumLockEngine distant(Duration timeout) {
		return new QuorumLockEngine(
				this.networks.stream().map((network) -> "redis://127.0.0.1:" + network.port()).toList(), timeout, "");
	}

	@Override
	public void close() {
		this.networks.forEach(FaultyProxy::close);
		this.servers.forEach(EmbeddedRedis::close);
	}

}
