package io.idempotent.support;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.Base64;

import org.jspecify.annotations.Nullable;

/**
 * A SHA-256 digest of content, as a value.
 */
public final class Digest {

	public static final int LENGTH = 32;

	public static final int SHORT_LENGTH = 12;

	/** Copied, never used itself. */
	private static final MessageDigest SHA_256 = lookUpSha256();

	private final byte[] bytes;

	private Digest(byte[] bytes) {
		this.bytes = bytes;
	}

	public static Digest of(byte[] bytes) {
		if (bytes.length != LENGTH) {
			throw new IllegalArgumentException("A digest has " + LENGTH + " bytes, not " + bytes.length);
		}
		return new Digest(bytes.clone());
	}

	public static Digest parse(String encoded) {
		Digest digest = of(Base64.getUrlDecoder().decode(encoded));
		if (!digest.encoded().equals(encoded)) {
			throw new IllegalArgumentException("The text of a digest has 43 characters of base64url");
		}
		return digest;
	}

	/**
	 * Starts a digest of several parts. Each is preceded by its length, so that different
	 * lists of parts are different content. For one thread.
	 */
	public static Builder sha256() {
		return new Builder();
	}

	/** The digest of a stream, which is read to its end and left open. */
	public static Digest sha256(InputStream content) throws IOException {
		MessageDigest sha256 = newSha256();
		// A small content needs no large buffer; the length of some is unknown.
		int available = content.available();
		byte[] chunk = new byte[(available > 0) ? Math.min(available, 8192) : 256];
		for (int length = content.read(chunk); length >= 0; length = content.read(chunk)) {
			sha256.update(chunk, 0, length);
		}
		return new Digest(sha256.digest());
	}

	/** A copy costs a fraction of a lookup, which asks all providers. */
	private static MessageDigest newSha256() {
		try {
			return (MessageDigest) SHA_256.clone();
		}
		catch (CloneNotSupportedException ex) {
			return lookUpSha256();
		}
	}

	private static MessageDigest lookUpSha256() {
		try {
			return MessageDigest.getInstance("SHA-256");
		}
		catch (NoSuchAlgorithmException ex) {
			throw new IllegalStateException("This JVM does not provide SHA-256", ex);
		}
	}

	public byte[] bytes() {
		return this.bytes.clone();
	}

	/** The digest as 43 characters of base64url. */
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

	/** Nine bytes of {@link #encoded()}: enough to find a key in a log, not to use it. */
	@Override
	public String toString() {
		return encoded().substring(0, SHORT_LENGTH);
	}

	public static final class Builder {

		private static final byte NOT_UTF_8 = (byte) 0xff;

		private @Nullable MessageDigest sha256 = newSha256();

		private Builder() {
		}

		/** Different texts differ, those with unpaired surrogates too. */
		public Builder add(String part) {
			byte[] utf8 = part.getBytes(StandardCharsets.UTF_8);
			// For an unpaired surrogate, Java writes a question mark.
			return add(new String(utf8, StandardCharsets.UTF_8).equals(part) ? utf8 : characters(part));
		}

		/** After a byte that UTF-8 never has. */
		private static byte[] characters(String text) {
			ByteBuffer bytes = ByteBuffer.allocate(1 + Character.BYTES * text.length()).put(NOT_UTF_8);
			bytes.asCharBuffer().put(text);
			return bytes.array();
		}

		public Builder add(byte[] part) {
			MessageDigest target = open();
			for (int shift = 24; shift >= 0; shift -= 8) {
				target.update((byte) (part.length >> shift));
			}
			target.update(part);
			return this;
		}

		public Digest build() {
			MessageDigest ended = open();
			this.sha256 = null;
			return new Digest(ended.digest());
		}

		private MessageDigest open() {
			if (this.sha256 == null) {
				throw new IllegalStateException("This digest has been built already: begin another one");
			}
			return this.sha256;
		}

	}

}
