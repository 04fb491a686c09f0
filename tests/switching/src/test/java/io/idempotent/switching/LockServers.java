package io.idempotent.switching;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.idempotent.embedded.EmbeddedRedis;
import io.idempotent.testing.FaultyProxy;

/**
 * The servers of all lock engines, behind a network that can be cut.
 */
final class LockServers implements AutoCloseable {

	private final Servers servers = new Servers();

	private final List<EmbeddedRedis> more = List.of(EmbeddedRedis.start(), EmbeddedRedis.start());

	private final FaultyProxy redis = to(this.servers.port(Engines.REDISSON));

	private final FaultyProxy zooKeeper = to(this.servers.port(Engines.ZOOKEEPER));

	private final FaultyProxy postgres = to(this.servers.port(Engines.JDBC));

	private final List<FaultyProxy> quorum = Stream
		.concat(Stream.of(this.redis), this.more.stream().map((server) -> to(server.port())))
		.toList();

	private static FaultyProxy to(int port) {
		return new FaultyProxy("127.0.0.1", port);
	}

	/** The arguments of an application that uses these engines. */
	List<String> properties(String engines) {
		return List.of("--idempotent.lock.engines=" + engines, "--spring.data.redis.host=127.0.0.1",
				"--spring.data.redis.port=" + this.redis.port(),
				"--idempotent.lock.zookeeper.connect-string=127.0.0.1:" + this.zooKeeper.port(),
				"--spring.datasource.url=jdbc:postgresql://127.0.0.1:" + this.postgres.port() + "/postgres",
				"--spring.datasource.username=postgres",
				"--idempotent.lock.quorum.servers=" + this.quorum.stream()
					.map((server) -> "redis://127.0.0.1:" + server.port())
					.collect(Collectors.joining(",")));
	}

	/** Nothing arrives any more, and no connection breaks. */
	void cut() {
		proxies().forEach(FaultyProxy::freeze);
	}

	void heal() {
		proxies().forEach(FaultyProxy::thaw);
	}

	private Stream<FaultyProxy> proxies() {
		return Stream.concat(this.quorum.stream(), Stream.of(this.zooKeeper, this.postgres));
	}

	@Override
	public void close() {
		proxies().forEach(FaultyProxy::close);
		this.more.forEach(EmbeddedRedis::close);
		this.servers.close();
	}

}
