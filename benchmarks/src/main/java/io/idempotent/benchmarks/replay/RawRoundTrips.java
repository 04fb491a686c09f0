package io.idempotent.benchmarks.replay;

import java.util.Arrays;

import io.idempotent.benchmarks.server.RedisServer;
import io.lettuce.core.SetArgs;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;

/**
 * The limit: as many round trips and bytes as the library's, as plain commands that ask
 * nothing.
 */
final class RawRoundTrips implements ReplayWay {

	private static final byte[] CLAIM = new byte[71];

	private static final byte[] RECORD = Arrays.copyOf(ReplayArea.ANSWER, 59 + ReplayArea.ANSWER.length);

	private static final long MILLIS = ReplayArea.RETENTION.toMillis();

	private final RedisClusterAsyncCommands<byte[], byte[]> commands;

	RawRoundTrips(RedisServer redis) {
		this.commands = redis.commands();
	}

	@Override
	public void first(String key) throws Exception {
		byte[] name = name(key);
		require("OK".equals(RedisServer.reply(this.commands.set(name, CLAIM, SetArgs.Builder.nx().px(MILLIS)))));
		require("OK".equals(RedisServer.reply(this.commands.set(name, RECORD, SetArgs.Builder.px(MILLIS)))));
	}

	@Override
	public void duplicate(String key) throws Exception {
		require(Arrays.equals(RedisServer.reply(this.commands.get(name(key))), RECORD));
	}

	private static byte[] name(String key) {
		return RedisServer.bytes("orders:create:" + key);
	}

	private static void require(boolean done) {
		if (!done) {
			throw new IllegalStateException("Redis has something else");
		}
	}

}
