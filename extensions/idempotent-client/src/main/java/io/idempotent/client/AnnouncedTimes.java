package io.idempotent.client;

import java.net.URI;
import java.time.Duration;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;

import org.jspecify.annotations.Nullable;

import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.http.HttpStatusCode;

/**
 * How long peers remember a key, as their first responses have announced: the shortest
 * time of each method and path, and of each host. A replay does not count, since it
 * announces what is left for its own key; nor does a refusal.
 */
final class AnnouncedTimes {

	static final String HEADER = "Idempotency-TTL";

	private static final int MAX_ENTRIES = 500;

	/** A longer address is known by its host only. */
	private static final int MAX_LENGTH = 1_000;

	/** By method and address, and by host; the least recently used one comes first. */
	private final Map<String, Duration> shortest = new LinkedHashMap<>(16, 0.75f, true);

	void note(HttpMethod method, URI uri, HttpStatusCode status, HttpHeaders headers) {
		Duration announced = (status.is2xxSuccessful() || status.is3xxRedirection()) ? announced(headers) : null;
		if (announced != null) {
			put(operation(method, uri), announced);
			put(host(uri), announced);
		}
	}

	/** That of its host if none of the operation is known, or else {@code null}. */
	synchronized @Nullable Duration of(HttpMethod method, URI uri) {
		Duration known = this.shortest.get(operation(method, uri));
		return (known != null) ? known : this.shortest.get(host(uri));
	}

	private synchronized void put(String key, Duration announced) {
		if (key.length() > MAX_LENGTH) {
			return;
		}
		this.shortest.merge(key, announced, (known, next) -> (next.compareTo(known) < 0) ? next : known);
		if (this.shortest.size() > MAX_ENTRIES) {
			Iterator<String> eldest = this.shortest.keySet().iterator();
			eldest.next();
			eldest.remove();
		}
	}

	/** {@code null} if there is no whole number of seconds, or one of many years. */
	private static @Nullable Duration announced(HttpHeaders headers) {
		return headers.getValuesAsList(HEADER)
			.stream()
			.map(String::strip)
			.filter((value) -> value.matches("[0-9]{1,9}"))
			.map((value) -> Duration.ofSeconds(Long.parseLong(value)))
			.min(Duration::compareTo)
			.orElse(null);
	}

	/** Without user and query, which may contain secrets. */
	static String operation(HttpMethod method, URI uri) {
		return method + " " + host(uri) + uri.getRawPath();
	}

	private static String host(URI uri) {
		return uri.getScheme() + "://" + uri.getHost() + ((uri.getPort() != -1) ? ":" + uri.getPort() : "");
	}

}
