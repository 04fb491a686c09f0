package io.idempotent.benchmarks.replay;

import java.nio.charset.StandardCharsets;

import io.idempotent.benchmarks.server.RedisServer;

import org.springframework.data.redis.core.StringRedisTemplate;

/**
 * What is written by hand: a mark if there is none, then the answer in its place.
 */
final class SetIfAbsent implements ReplayWay {

	private static final String ANSWER = new String(ReplayArea.ANSWER, StandardCharsets.US_ASCII);

	private final StringRedisTemplate template;

	SetIfAbsent(RedisServer redis) {
		this.template = new StringRedisTemplate(redis.connections());
	}

	@Override
	public void first(String key) {
		require(mark(key));
		this.template.opsForValue().set(name(key), ANSWER, ReplayArea.RETENTION);
	}

	@Override
	public void duplicate(String key) {
		require(!mark(key));
		require(ANSWER.equals(this.template.opsForValue().get(name(key))));
	}

	private boolean mark(String key) {
		return Boolean.TRUE
			.equals(this.template.opsForValue().setIfAbsent(name(key), "PROCESSING", ReplayArea.RETENTION));
	}

	private static String name(String key) {
		return "orders:create:" + key;
	}

	private static void require(boolean done) {
		if (!done) {
			throw new IllegalStateException("Redis has something else");
		}
	}

}
