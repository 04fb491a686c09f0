package io.idempotent.lock.quorum;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

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
		return new QuorumLockEngine(settings(TIMEOUT.multipliedBy(5)), "");
	}

	QuorumLockEngine.Settings settings(Duration timeout) {
		return settings((server) -> "redis://127.0.0.1:" + server.port(), timeout);
	}

	QuorumLockEngine.Settings settings(Function<EmbeddedRedis, String> url, Duration timeout) {
		return new QuorumLockEngine.Settings(this.servers.stream().map(url).toList(), timeout, Duration.ofSeconds(10),
				0.01);
	}

	/** An engine of a node behind the networks. */
	QuorumLockEngine distant(Duration timeout) {
		return new QuorumLockEngine(new QuorumLockEngine.Settings(
				this.networks.stream().map((network) -> "redis://127.0.0.1:" + network.port()).toList(), timeout,
				Duration.ofSeconds(2), 0.01), "");
	}

	@Override
	public void close() {
		this.networks.forEach(FaultyProxy::close);
		this.servers.forEach(EmbeddedRedis::close);
	}

}
