package io.idempotent.webmvc;

import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.core.StringRedisTemplate;

/**
 * What the store of a server holds, and what it was asked.
 */
public final class Records {

	private final StringRedisTemplate redis;

	private Records(StringRedisTemplate redis) {
		this.redis = redis;
	}

	static Records of(TestServer server) {
		return new Records(server.bean(StringRedisTemplate.class));
	}

	/**
	 * The names of everything that the store keeps: records, and the origins of claims
	 * beside them.
	 */
	Set<String> names() {
		return new TreeSet<>(this.redis.keys("*"));
	}

	/**
	 * The keys of all records and what each of them says, without the origins.
	 */
	Map<String, String> all() {
		Map<String, String> all = new TreeMap<>();
		for (String key : names()) {
			if (key.endsWith("}")) {
				continue;
			}
			String value = this.redis.opsForValue().get(key);
			if (value != null) {
				all.put(key, value);
			}
		}
		return all;
	}

	/**
	 * How long a record lives, in milliseconds.
	 */
	long lifeOf(String key) {
		return this.redis.getExpire(key, TimeUnit.MILLISECONDS);
	}

	<T> T ask(Function<RedisConnection, T> question) {
		return this.redis.execute(question::apply);
	}

}
