package io.idempotent.lock.redis;

import java.util.List;
import java.util.function.Supplier;

import io.idempotent.lock.LockUnavailableException;
import io.idempotent.lock.engine.SharedEntry;
import org.jspecify.annotations.Nullable;

/**
 * An entry as a string: version, line break and text; one command each, on the master.
 * The first version is the time of the server, greater than any version of a lost entry,
 * so that a late write to that entry does not affect the next one. The first call of an
 * engine also gets its client, on the calling thread: an interrupt may end that, and the
 * limit of 30 seconds does not apply to it.
 */
record RedisSharedEntry(Supplier<LockClient> client, String key) implements SharedEntry {

	private static final String READ = "return { redis.call('get', KEYS[1]) }";

	private static final String WRITE = """
			local present = redis.call('get', KEYS[1])
			local version = present and string.match(present, '^%d+') or '0'
			if version ~= ARGV[1] then
				return 0
			end
			local clock = redis.call('time')
			local next = present and tonumber(version) + 1 or clock[1] * 1000000 + clock[2]
			redis.call('set', KEYS[1], string.format('%.0f', next) .. '\\n' .. ARGV[2])
			return 1
			""";

	@Override
	public boolean mayForget() {
		return true;
	}

	@Override
	public Value read() {
		LockClient connection = this.client.get();
		List<@Nullable String> reply = connection.call(
				() -> connection.transport().texts(this.key, READ, List.of(this.key)), "read the lock engine in force");
		String value = reply.get(0);
		if (value == null) {
			return Value.ABSENT;
		}
		int end = value.indexOf('\n');
		if (end < 0) {
			throw new LockUnavailableException("The key '" + this.key
					+ "' in Redis is not the entry that names the lock engine in force: another program has written it",
					null);
		}
		return new Value(Long.parseLong(value.substring(0, end)), value.substring(end + 1));
	}

	@Override
	public boolean write(long version, String text) {
		LockClient connection = this.client.get();
		return connection.call(() -> connection.transport().number(this.key, WRITE, List.of(this.key), version, text),
				"write the lock engine in force") > 0;
	}

}
