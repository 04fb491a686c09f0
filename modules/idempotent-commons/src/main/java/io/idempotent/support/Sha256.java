package io.idempotent.support;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

import org.jspecify.annotations.Nullable;

/**
 * A SHA-256 with a buffer in front of it. Each thread keeps an idle one: to look the
 * algorithm up among the providers and to allocate its working memory costs more than to
 * digest what is usual here. Whoever takes it has it alone; a second one that is taken
 * meanwhile is new.
 */
final class Sha256 {

	// Static, since between two digests it holds nothing of anybody's.
	private static final ThreadLocal<@Nullable Sha256> IDLE = new ThreadLocal<>();

	private final MessageDigest digest;

	private final byte[] buffer = new byte[512];

	private int used;

	private Sha256() {
		try {
			this.digest = MessageDigest.getInstance("SHA-256");
		}
		catch (NoSuchAlgorithmException ex) {
			throw new IllegalStateException("Every Java platform has SHA-256, this one has not", ex);
		}
	}

	static Sha256 take() {
		Sha256 idle = IDLE.get();
		if (idle == null) {
			return new Sha256();
		}
		IDLE.set(null);
		return idle;
	}

	/**
	 * Ends the digest; this is idle from then on and must not be used again.
	 * @return the digest
	 */
	byte[] finish() {
		flush();
		byte[] bytes = this.digest.digest();
		IDLE.set(this);
		return bytes;
	}

	/**
	 * Adds a text in UTF-8, preceded by its length in bytes. A surrogate without its
	 * partner, which UTF-8 has no form for, counts by three bytes of its own, so that
	 * texts that differ are never one.
	 */
	void addPart(String part) {
		int length = part.length();
		if (length > this.buffer.length - Integer.BYTES) {
			addPart(Utf8.encode(part));
			return;
		}
		int start = makeRoom(Integer.BYTES + length) + Integer.BYTES;
		for (int i = 0; i < length; i++) {
			char c = part.charAt(i);
			if (c >= 0x80) {
				addPart(Utf8.encode(part));
				return;
			}
			this.buffer[start + i] = (byte) c;
		}
		addLength(length);
		this.used += length;
	}

	/**
	 * Adds bytes, preceded by their length.
	 */
	void addPart(byte[] part) {
		makeRoom(Integer.BYTES);
		addLength(part.length);
		add(part, part.length);
	}

	/**
	 * Adds bytes as they are.
	 */
	void add(byte[] bytes, int length) {
		if (length > this.buffer.length) {
			flush();
			this.digest.update(bytes, 0, length);
			return;
		}
		System.arraycopy(bytes, 0, this.buffer, makeRoom(length), length);
		this.used += length;
	}

	private void addLength(int length) {
		for (int shift = 24; shift >= 0; shift -= 8) {
			this.buffer[this.used++] = (byte) (length >> shift);
		}
	}

	/**
	 * Makes sure that so many bytes fit in.
	 * @return where the first of them goes
	 */
	private int makeRoom(int length) {
		if (length > this.buffer.length - this.used) {
			flush();
		}
		return this.used;
	}

	private void flush() {
		this.digest.update(this.buffer, 0, this.used);
		this.used = 0;
	}

}
