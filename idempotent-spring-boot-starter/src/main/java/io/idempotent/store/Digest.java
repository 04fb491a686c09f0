package io.idempotent.store;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
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
		MessageDigest sha256 = newSha256();
		new DigestInputStream(content, sha256).transferTo(OutputStream.nullOutputStream());
		return new Digest(sha256.digest());
	}

	private static MessageDigest newSha256() {
		try {
			return MessageDigest.getInstance("SHA-256");
		}
		catch (NoSuchAlgorithmException ex) {
			throw new IllegalStateException("Every Java platform has SHA-256, this one has not", ex);
		}
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
		return ByteBuffer.wrap(this.bytes).getInt();
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

		private final MessageDigest sha256;

		private final byte[] length = new byte[Integer.BYTES];

		private Builder() {
			this.sha256 = newSha256();
		}

		/**
		 * Adds a text.
		 * @param part the text
		 * @return this builder
		 */
		public Builder add(String part) {
			return add(part.getBytes(StandardCharsets.UTF_8));
		}

		/**
		 * Adds bytes.
		 * @param part the bytes
		 * @return this builder
		 */
		public Builder add(byte[] part) {
			ByteBuffer.wrap(this.length).putInt(part.length);
			this.sha256.update(this.length);
			this.sha256.update(part);
			return this;
		}

		/**
		 * Ends the digest; the builder is used up.
		 * @return the digest
		 */
		public Digest build() {
			return new Digest(this.sha256.digest());
		}

	}

}
