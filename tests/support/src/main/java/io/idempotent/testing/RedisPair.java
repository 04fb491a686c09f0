package io.idempotent.testing;

import io.idempotent.embedded.EmbeddedRedis;

import static org.awaitility.Awaitility.await;

/**
 * A master and its replica, who may change places.
 */
final class RedisPair implements AutoCloseable {

	private volatile EmbeddedRedis master;

	private volatile EmbeddedRedis replica;

	RedisPair(EmbeddedRedis master, EmbeddedRedis replica) {
		this.master = master;
		this.replica = replica;
	}

	EmbeddedRedis master() {
		return this.master;
	}

	EmbeddedRedis replica() {
		return this.replica;
	}

	void awaitLink() {
		RedisTalk.awaitAnswer(this.master, "INFO replication", "slave0:.*state=online");
		RedisTalk.awaitAnswer(this.replica, "INFO replication", "master_link_status:up");
	}

	/** Not WAIT, which knows the writes of its own connection only. */
	void awaitReplication() {
		long told = RedisTalk.number(this.master, "replication", "master_repl_offset").orElseThrow();
		await().atMost(RedisTalk.PATIENCE)
			.until(() -> RedisTalk.number(this.replica, "replication", "slave_repl_offset").orElse(-1L) >= told);
	}

	void awaitPromotion() {
		RedisTalk.awaitAnswer(this.replica, "INFO replication", "role:master");
		EmbeddedRedis dead = this.master;
		this.master = this.replica;
		this.replica = dead;
	}

	@Override
	public void close() {
		this.replica.close();
		this.master.close();
	}

}
