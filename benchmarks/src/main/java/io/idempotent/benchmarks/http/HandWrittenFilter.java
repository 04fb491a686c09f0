package io.idempotent.benchmarks.http;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.Objects;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.core.RedisTemplate;
import org.springframework.data.redis.core.ValueOperations;
import org.springframework.data.redis.serializer.RedisSerializer;
import org.springframework.web.filter.OncePerRequestFilter;
import org.springframework.web.util.ContentCachingResponseWrapper;

/**
 * What a good developer writes in an hour: the key is set if it is absent, the request
 * runs, the response replaces the mark. It knows no caller, compares no content, renews
 * nothing, and a run that outlives the mark overwrites what came after it.
 */
final class HandWrittenFilter extends OncePerRequestFilter {

	private static final byte[] RUNNING = {};

	private static final Duration LONGEST_RUN = Duration.ofSeconds(30);

	private static final Duration RETENTION = Duration.ofHours(24);

	private final ValueOperations<String, byte[]> values;

	private final RedisTemplate<String, byte[]> redis = new RedisTemplate<>();

	HandWrittenFilter(RedisConnectionFactory connections) {
		this.redis.setConnectionFactory(connections);
		this.redis.setKeySerializer(RedisSerializer.string());
		this.redis.setValueSerializer(RedisSerializer.byteArray());
		this.redis.afterPropertiesSet();
		this.values = this.redis.opsForValue();
	}

	@Override
	protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
			throws ServletException, IOException {
		String sent = request.getHeader("Idempotency-Key");
		if (sent == null) {
			chain.doFilter(request, response);
			return;
		}
		String key = "by-hand:" + request.getRequestURI() + ":" + sent;
		if (Boolean.TRUE.equals(this.values.setIfAbsent(key, RUNNING, LONGEST_RUN))) {
			run(key, request, response, chain);
			return;
		}
		byte[] stored = this.values.get(key);
		if (stored == null || Arrays.equals(stored, RUNNING)) {
			response.sendError(HttpServletResponse.SC_CONFLICT);
			return;
		}
		replay(stored, response);
	}

	private void run(String key, HttpServletRequest request, HttpServletResponse response, FilterChain chain)
			throws ServletException, IOException {
		ContentCachingResponseWrapper kept = new ContentCachingResponseWrapper(response);
		boolean succeeded = false;
		try {
			chain.doFilter(request, kept);
			succeeded = kept.getStatus() < HttpServletResponse.SC_INTERNAL_SERVER_ERROR;
		}
		finally {
			if (!succeeded) {
				this.redis.delete(key);
			}
		}
		if (succeeded) {
			this.values.set(key, stored(kept), RETENTION);
		}
		kept.copyBodyToResponse();
	}

	private static byte[] stored(ContentCachingResponseWrapper kept) throws IOException {
		ByteArrayOutputStream bytes = new ByteArrayOutputStream();
		DataOutputStream out = new DataOutputStream(bytes);
		out.writeInt(kept.getStatus());
		out.writeUTF(Objects.requireNonNullElse(kept.getContentType(), ""));
		out.write(kept.getContentAsByteArray());
		return bytes.toByteArray();
	}

	private static void replay(byte[] stored, HttpServletResponse response) throws IOException {
		DataInputStream in = new DataInputStream(new ByteArrayInputStream(stored));
		response.setStatus(in.readInt());
		response.setContentType(in.readUTF());
		response.setHeader("Idempotency-Replayed", "true");
		byte[] body = in.readAllBytes();
		response.setContentLength(body.length);
		response.getOutputStream().write(body);
	}

}
