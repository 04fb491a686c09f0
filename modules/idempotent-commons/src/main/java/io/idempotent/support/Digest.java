package io.idempotent.support;

import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;

import org.jspecify.annotations.Nullable;

/**
 * 256 bits that stand for content: a value with equality, never the content itself.
 */
public final class Digest {

	/** The length of a digest in bytes. */
	public static final int LENGTH = 32;

	private final byte[] bytes;

	private Digest(byte[] bytes) {
		this.bytes = bytes;
	}

	/**
	 * Takes a digest over as it was written by {@link #bytes()}.
	 * @param bytes exactly {@value #LENGTH} bytes
	 * @return the digest
	 * @throws IllegalArgumentException if the length is another
	 */
	public static Digest of(byte[] bytes) {
		if (bytes.length != LENGTH) {
			throw new IllegalArgumentException("A digest has " + LENGTH + " bytes, not " + bytes.length);
		}
		return new Digest(bytes.clone());
	}

	/**
	 * Starts a SHA-256 over parts, each preceded by its length, so that no two lists of
	 * parts run into one another.
	 * @return a builder, for one thread
	 */
	public static Builder sha256() {
		return new Builder();
	}

	/**
	 * Digests content that is too large to be held in memory.
	 * @param content the content, read to its end and left open
	 * @return the SHA-256 of its bytes
	 * @throws IOException if it cannot be read
	 */
	public static Digest sha256(InputStream content) throws IOException {
		Sha256 sha256 = Sha256.take();
		// Of many small contents each takes no more memory than it has bytes.
		byte[] chunk = new byte[Math.min(Math.max(content.available(), 256), 8192)];
		for (int length = content.read(chunk); length >= 0; length = content.read(chunk)) {
			sha256.add(chunk, length);
		}
		return new Digest(sha256.finish());
	}

	/**
	 * The digest's bytes.
	 * @return a copy
	 */
	public byte[] bytes() {
		return this.bytes.clone();
	}

	/**
	 * The digest as text that fits into a key or a header.
	 * @return 43 characters of base64url
	 */
	public String encoded() {
		return Base64.getUrlEncoder().withoutPadding().encodeToString(this.bytes);
	}

	@Override
	public boolean equals(@Nullable Object other) {
		return other instanceof Digest that && Arrays.equals(this.bytes, that.bytes);
	}

	@Override
	public int hashCode() {
		return (this.bytes[0] << 24) | ((this.bytes[1] & 0xff) << 16) | ((this.bytes[2] & 0xff) << 8)
				| (this.bytes[3] & 0xff);
	}

	/**
	 * The first 48 bits, enough to find a key in a log and too few to be one.
	 */
	@Override
	public String toString() {
		return HexFormat.of().formatHex(this.bytes, 0, 6);
	}

	/**
	 * Collects the parts of a digest.
	 */
	public static final class Builder {

		private @Nullable Sha256 sha256 = Sha256.take();

		private Builder() {
		}

		/**
		 * Adds a text.
		 * @param part the text
		 * @return this builder
		 */
		public Builder add(String part) {
			open().addPart(part);
			return this;
		}

		/**
		 * Adds bytes.
		 * @param part the bytes
		 * @return this builder
		 */
		public Builder add(byte[] part) {
			open().addPart(part);
			return this;
		}

		/**
		 * Ends the digest; the builder is used up.
		 * @return the digest
		 */
		public Digest build() {
			Sha256 ended = open();
			this.sha256 = null;
			return new Digest(ended.finish());
		}

		private Sha256 open() {
			if (this.sha256 == null) {
				throw new IllegalStateException("This digest has been built already: start another one");
			}
			return this.sha256;
		}

	}

}
