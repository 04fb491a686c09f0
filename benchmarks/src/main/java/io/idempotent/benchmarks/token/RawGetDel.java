package io.idempotent.benchmarks.token;

import java.util.UUID;

import io.idempotent.benchmarks.server.RedisServer;
import io.lettuce.core.SetArgs;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;

/**
 * The limit: nothing but the two commands, with a value as long as the library's.
 */
final class RawGetDel implements TokenWay {

	private static final int VALUE = 7;

	private final RedisClusterAsyncCommands<byte[], byte[]> commands;

	RawGetDel(RedisServer redis) {
		this.commands = redis.commands();
	}

	@Override
	public String issue() throws Exception {
		String token = UUID.randomUUID().toString();
		String done = RedisServer
			.reply(this.commands.set(key(token), new byte[VALUE], SetArgs.Builder.px(TokenArea.LIFE.toMillis())));
		if (!done.equals("OK")) {
			throw new IllegalStateException(done);
		}
		return token;
	}

	@Override
	public void check(String token) throws Exception {
		byte[] value = RedisServer.reply(this.commands.getdel(key(token)));
		if (value == null || value.length != VALUE) {
			throw new IllegalStateException("The token was not there");
		}
	}

	private static byte[] key(String token) {
		return RedisServer.bytes("order:token:" + token);
	}

}
