package io.idempotent.lock.redisson;

import java.util.List;
import java.util.concurrent.CompletableFuture;

import io.idempotent.lock.LockUnavailableException;
import io.idempotent.lock.engine.EpochStore;
import io.idempotent.lock.engine.InterruptibleWait;
import org.jspecify.annotations.Nullable;
import org.redisson.api.RScript.Mode;
import org.redisson.api.RScript.ReturnType;
import org.redisson.client.codec.StringCodec;

/**
 * The entry of an application as a string: the version, a line break and the text. A read
 * and a write are one command each, on the master. The first version is the time of the
 * server, which is greater than any version of a lost entry, so that a late write to that
 * entry does not affect the next one.
 */
final class RedissonEpochStore implements EpochStore {

	private static final String READ = "return redis.call('get', KEYS[1])";

	private static final String WRITE = """
			local present = redis.call('get', KEYS[1])
			local version = present and string.match(present, '^%d+') or '0'
			if version ~= ARGV[1] then
				return '0'
			end
			local clock = redis.call('time')
			local next = present and tonumber(version) + 1 or clock[1] * 1000000 + clock[2]
			redis.call('set', KEYS[1], string.format('%.0f', next) .. '\\n' .. ARGV[2])
			return '1'
			""";

	private final ClientConnection connection;

	private final String key;

	RedissonEpochStore(ClientConnection connection, String key) {
		this.connection = connection;
		this.key = key;
	}

	@Override
	public boolean mayForget() {
		return true;
	}

	@Override
	public Entry read() {
		String value = run("read the lock engine in force", READ);
		if (value == null) {
			return Entry.ABSENT;
		}
		int end = value.indexOf('\n');
		if (end < 0) {
			throw new LockUnavailableException("The key '" + this.key
					+ "' in Redis is not the entry that names the lock engine in force: another program has written it",
					null);
		}
		return new Entry(Long.parseLong(value.substring(0, end)), value.substring(end + 1));
	}

	@Override
	public boolean write(long version, String text) {
		return "1".equals(run("write the lock engine in force", WRITE, Long.toString(version), text));
	}

	private @Nullable String run(String what, String script, Object... arguments) {
		List<Object> keys = List.of(RedisScripts.bytes(this.key));
		CompletableFuture<@Nullable String> reply = this.connection.send(() -> this.connection.client()
			.client()
			.getScript(StringCodec.INSTANCE)
			.<@Nullable String>evalAsync(this.key, Mode.READ_WRITE, script, ReturnType.VALUE, keys, arguments)
			.toCompletableFuture(), what);
		try (InterruptibleWait waiting = InterruptibleWait.throughInterrupts()) {
			return RedisFutures.await(reply, what, waiting);
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException("A wait through interrupts was interrupted", ex);
		}
	}

}
