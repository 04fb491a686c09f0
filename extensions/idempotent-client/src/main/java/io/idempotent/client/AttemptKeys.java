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

	/** In the order in which the next attempt is expected to make them. */
	private final List<Call> calls = new ArrayList<>();

	/** Behind the last call of this attempt. */
	private int next;

	/**
	 * How many calls of earlier attempts were not repeated in this one: to a
	 * {@link Target}, or with a {@link Content}.
	 */
	private final Map<Object, Integer> unused = new HashMap<>();

	/** Returns what {@link #failed} needs to know. */
	int begin() {
		return this.next;
	}

	/** The next attempt may send these calls again. */
	void failed(int begin) {
		for (Call call : this.calls.subList(begin, this.next)) {
			if (call.used) {
				call.used = false;
				count(call, 1);
			}
		}
		this.next = begin;
	}

	Key of(HttpMethod method, URI uri, byte[] body, Supplier<String> generator) {
		Content content = new Content(new Target(method, uri), digest(body));
		int position = find(content);
		if (position < 0) {
			position = this.next;
			this.calls.add(position, fresh(content, generator));
		}
		else {
			count(this.calls.get(position), -1);
		}
		this.calls.subList(this.next, position).forEach((call) -> call.skipped = true);
		this.next = position + 1;
		return this.calls.get(position).use();
	}

	private void count(Call call, int change) {
		this.unused.merge(call.content, change, Integer::sum);
		this.unused.merge(call.content.target(), change, Integer::sum);
	}

	/** The one call of earlier attempts that this is, or -1. Refused if in doubt. */
	private int find(Content content) {
		int equal = this.unused.getOrDefault(content, 0);
		if (equal == 0) {
			return -1;
		}
		if (equal > 1) {
			throw inDoubt(content.target(),
					"that earlier attempts have sent there more than once, so that it is not known "
							+ "which of those calls it repeats");
		}
		// From here on, so that the calls of an attempt are passed once.
		int position = this.next;
		while (position < this.calls.size() && !this.calls.get(position).content.equals(content)) {
			position++;
		}
		if (position == this.calls.size() || this.calls.get(position).skipped) {
			throw inDoubt(content.target(),
					"that an earlier attempt has sent there, but in another order, so that it is not known "
							+ "whether it repeats that call");
		}
		return position;
	}

	private Call fresh(Content content, Supplier<String> generator) {
		Target target = content.target();
		if (this.unused.getOrDefault(target, 0) > 0) {
			throw inDoubt(target,
					"that no earlier attempt has sent, and has not repeated what they have sent there, so "
							+ "that it may be an earlier call with other content");
		}
		if (this.calls.size() == MAX_CALLS) {
			throw new IllegalStateException("A @Retryable method has made " + MAX_CALLS + " calls, so that " + target
					+ " would get another key in the next attempt: this call is not made. Retry a smaller part of "
					+ "the work, or give the calls their keys: with @DerivedKey, or in the key header");
		}
		return new Call(content, Key.fresh(generator));
	}

	private static IllegalStateException inDoubt(Target target, String reason) {
		return new IllegalStateException("A further attempt of a @Retryable method calls " + target + " with content "
				+ reason + ": this call is not made, because it might take effect twice, or not at all. Make the same "
				+ "calls in each attempt, no two of them equal, or give each call its key: with @DerivedKey, or in the "
				+ "key header");
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

		@Override
		public String toString() {
			return this.method + " " + this.uri.getScheme() + "://" + this.uri.getAuthority() + this.uri.getRawPath();
		}

	}

	private record Content(Target target, ByteBuffer digest) {
	}

	private static final class Call {

		private final Content content;

		private Key key;

		/** In this attempt, or in one around it. */
		private boolean used;

		/** An attempt has made a later call, but not this one, which may be done. */
		private boolean skipped;

		Call(Content content, Key key) {
			this.content = content;
			this.key = key;
		}

		Key use() {
			Key current = this.key;
			this.used = true;
			this.key = current.sentAgain();
			return current;
		}

	}

}
