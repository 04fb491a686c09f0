package io.idempotent.client;

import java.net.URI;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

import org.springframework.http.HttpMethod;

/** The keys of the calls that the attempts of one method make, on one thread. */
final class AttemptKeys {

	static final int MAX_CALLS = 10_000;

	private final Map<Target, Calls> calls = new HashMap<>();

	/** What this attempt has sent, and the attempts around it. */
	private final List<Repeats> sent = new ArrayList<>();

	private int known;

	/** Returns what {@link #failed} needs to know. */
	int begin() {
		return this.sent.size();
	}

	/** The next attempt may send these calls again. */
	void failed(int begin) {
		while (this.sent.size() > begin) {
			this.sent.remove(this.sent.size() - 1).undo();
		}
	}

	Key of(HttpMethod method, URI uri, byte[] body, Supplier<String> generator) {
		Calls others = this.calls.computeIfAbsent(new Target(method, uri), (absent) -> new Calls());
		Repeats same = others.byContent.computeIfAbsent(digest(body), (absent) -> new Repeats(others));
		if (same.used == same.keys.size()) {
			requireRecognisable(method, uri, others);
			same.add(Key.fresh(generator));
			this.known++;
		}
		this.sent.add(same);
		return same.use();
	}

	private void requireRecognisable(HttpMethod method, URI uri, Calls others) {
		String call = method + " " + uri.getScheme() + "://" + uri.getAuthority() + uri.getRawPath();
		if (others.unused > 0) {
			throw new IllegalStateException("A further attempt of a @Retryable method calls " + call
					+ " with content that no earlier attempt has sent, and has not repeated what they have sent there: "
					+ "this call is not made, because it may be an earlier one with other content, which would take "
					+ "effect twice. Send the same content in each attempt, or give the call its key: with "
					+ "@DerivedKey, or in the key header");
		}
		if (this.known == MAX_CALLS) {
			throw new IllegalStateException("A @Retryable method has made " + MAX_CALLS + " calls, so that " + call
					+ " would get another key in the next attempt: this call is not made. Retry a smaller part of "
					+ "the work, or give the calls their keys: with @DerivedKey, or in the key header");
		}
	}

	private static ByteBuffer digest(byte[] body) {
		try {
			return ByteBuffer.wrap(MessageDigest.getInstance("SHA-256").digest(body));
		}
		catch (NoSuchAlgorithmException ex) {
			throw new IllegalStateException("Each JVM has SHA-256", ex);
		}
	}

	/**
	 * The key of a call.
	 *
	 * @param firstSent when, by {@link System#nanoTime()}
	 * @param repeated whether an earlier attempt of the method has sent it
	 */
	record Key(String value, long firstSent, boolean repeated) {

		static Key fresh(Supplier<String> generator) {
			return new Key(generator.get(), System.nanoTime(), false);
		}

		private Key sentAgain() {
			return this.repeated ? this : new Key(this.value, this.firstSent, true);
		}

	}

	private record Target(HttpMethod method, URI uri) {
	}

	/** To one target. */
	private static final class Calls {

		private final Map<ByteBuffer, Repeats> byContent = new HashMap<>();

		/** How many calls of earlier attempts were not repeated in this one. */
		private int unused;

	}

	/** Calls with one content, in the order in which each attempt makes them. */
	private static final class Repeats {

		private final Calls all;

		private final List<Key> keys = new ArrayList<>(1);

		private int used;

		Repeats(Calls all) {
			this.all = all;
		}

		void add(Key key) {
			this.keys.add(key);
			this.all.unused++;
		}

		Key use() {
			this.all.unused--;
			Key key = this.keys.get(this.used);
			this.keys.set(this.used++, key.sentAgain());
			return key;
		}

		void undo() {
			this.all.unused++;
			this.used--;
		}

	}

}
