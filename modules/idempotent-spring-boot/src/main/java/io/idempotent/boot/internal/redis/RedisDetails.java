package io.idempotent.boot.internal.redis;

import java.time.Duration;
import java.util.List;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.ssl.SslBundle;

/**
 * What a connection factory does not tell of its servers. Each generation of Spring Boot
 * has types of its own for it.
 *
 * @param masterAndReplicas their addresses, or none if there is another kind of servers
 */
public record RedisDetails(@Nullable String username, @Nullable String password, @Nullable SslBundle sslBundle,
		List<Node> masterAndReplicas, @Nullable String clientName, @Nullable Duration timeout,
		@Nullable Duration connectTimeout) {

	/** If Spring Boot configures no Redis. */
	public static final RedisDetails NONE = new RedisDetails(null, null, null, List.of(), null, null, null);

	/** The address of a server. */
	public record Node(String host, int port) {
	}

}
