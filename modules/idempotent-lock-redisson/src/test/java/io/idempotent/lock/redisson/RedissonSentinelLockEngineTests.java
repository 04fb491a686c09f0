package io.idempotent.lock.redisson;

import java.time.Duration;
import java.util.Map;
import java.util.Set;

import io.idempotent.contract.lock.LockEngineContract;
import io.idempotent.lock.engine.LockEngine;
import io.idempotent.lock.engine.LockGrant;
import io.idempotent.testing.RedisMonitor;
import io.idempotent.testing.RedisSentinelSet;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

@Tag("slow")
class RedissonSentinelLockEngineTests extends LockEngineContract {

	private static final Duration LEASE = Duration.ofSeconds(20);

	private static RedisSentinelSet servers;

	private static TestRedisson clients;

	@BeforeAll
	static void startServers() {
		servers = RedisSentinelSet.start();
		clients = TestRedisson.of(servers);
	}

	@AfterAll
	static void stopServers() {
		clients.close();
		servers.close();
	}

	@Override
	protected boolean takesTurns() {
		return true;
	}

	@Override
	protected LockEngine node() {
		return clients.node();
	}

	@Override
	protected void close(LockEngine engine) {
		clients.close(engine);
	}

	@Test
	void waitsForAReplicaToReceiveAGrantAndNothingElse() throws Exception {
		LockGrant first = require(this.engine.acquire(request(LEASE), Duration.ZERO));
		first.renew(LEASE);
		first.release(Duration.ZERO);
		try (RedisMonitor monitor = RedisMonitor.of(servers.master())) {
			LockGrant grant = require(this.engine.acquire(request(LEASE), Duration.ZERO));
			assertThat(ours(monitor)).containsOnly(Map.entry("evalsha", 1), Map.entry("wait", 1));
			grant.renew(LEASE);
			assertThat(ours(monitor)).containsOnly(Map.entry("evalsha", 1));
			grant.release(Duration.ZERO);
			assertThat(ours(monitor)).containsOnly(Map.entry("evalsha", 1));
		}
	}

	@Test
	void loadsAScriptThatTheServerHasLost() throws Exception {
		require(this.engine.acquire(request(LEASE), Duration.ZERO)).release(Duration.ZERO);
		clients.client(this.engine).getScript().scriptFlush();
		require(this.engine.acquire(request(LEASE), Duration.ZERO)).release(Duration.ZERO);
	}

	/** Servers talk to each other as well. */
	private static Map<String, Integer> ours(RedisMonitor monitor) {
		Map<String, Integer> commands = monitor.commands();
		commands.keySet()
			.removeAll(Set.of("ping", "info", "publish", "replconf", "client", "role", "hello", "subscribe"));
		return commands;
	}

}
