package io.idempotent.boot;

import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;

import io.idempotent.redis.RedisIdempotencyStore;
import io.idempotent.store.OperationKey;
import io.idempotent.store.StoreUnavailableException;

import org.springframework.data.redis.connection.RedisConnectionFactory;

/**
 * A store over a client that is not Lettuce, and that tells when it is used.
 */
final class ReducedRedisClient {

	private ReducedRedisClient() {
	}

	public static void main(String[] arguments) {
		RedisConnectionFactory other = (RedisConnectionFactory) Proxy.newProxyInstance(
				ReducedRedisClient.class.getClassLoader(), new Class<?>[] { RedisConnectionFactory.class },
				(proxy, method, values) -> {
					throw new UnsupportedOperationException("asked by " + method.getName());
				});
		try (RedisIdempotencyStore store = new RedisIdempotencyStore(other, "idem:", Duration.ofSeconds(2))) {
			store.issue(OperationKey.of("test", "operation", List.of(), "value"), Duration.ofMinutes(1));
		}
		catch (StoreUnavailableException ex) {
			System.out.println(ex.getMessage());
		}
	}

}
