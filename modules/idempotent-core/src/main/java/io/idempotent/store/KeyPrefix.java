package io.idempotent.store;

import java.math.BigInteger;
import java.util.Arrays;
import java.util.regex.Pattern;

import io.idempotent.support.Digest;
import org.jspecify.annotations.Nullable;

/**
 * The beginning of the text of operation keys, such as the short hash in a log.
 *
 * @param text at least {@value #MIN_LENGTH} characters of {@link OperationKey#encoded()}
 */
public record KeyPrefix(String text) {

	/** The minimum length: that of a short hash. */
	public static final int MIN_LENGTH = Digest.SHORT_LENGTH;

	private static final int MAX_LENGTH = 43;

	private static final int BITS = 6;

	private static final String ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

	private static final Pattern TEXT = Pattern.compile("[A-Za-z0-9_-]{" + MIN_LENGTH + "," + MAX_LENGTH + "}");

	/**
	 * Checks the text.
	 * @throws IllegalArgumentException if it cannot be the beginning of a key
	 */
	public KeyPrefix {
		if (!TEXT.matcher(text).matches()) {
			throw new IllegalArgumentException("The beginning of an operation key has " + MIN_LENGTH + " to "
					+ MAX_LENGTH + " characters of A-Z, a-z, 0-9, - and _");
		}
		if (text.length() == MAX_LENGTH) {
			OperationKey.parse(text);
		}
	}

	/** Whether a key begins with this text. */
	public boolean matches(OperationKey key) {
		return key.encoded().startsWith(this.text);
	}

	/** The key itself, or {@code null} if the text is shorter than a whole key. */
	public @Nullable OperationKey wholeKey() {
		return (this.text.length() == MAX_LENGTH) ? OperationKey.parse(this.text) : null;
	}

	/** The lowest {@value Digest#LENGTH} bytes that a key with this prefix can have. */
	public byte[] lowest() {
		return fill('A');
	}

	/** The highest {@value Digest#LENGTH} bytes that a key with this prefix can have. */
	public byte[] highest() {
		return fill('_');
	}

	/** The last character of a key carries four bits of the digest, and two zeros. */
	private byte[] fill(char rest) {
		String filled = this.text + String.valueOf(rest).repeat(MAX_LENGTH - this.text.length());
		BigInteger bits = BigInteger.ZERO;
		for (int i = 0; i < MAX_LENGTH; i++) {
			bits = bits.shiftLeft(BITS).or(BigInteger.valueOf(ALPHABET.indexOf(filled.charAt(i))));
		}
		byte[] bytes = bits.shiftRight(MAX_LENGTH * BITS - Digest.LENGTH * Byte.SIZE).toByteArray();
		byte[] result = new byte[Digest.LENGTH];
		byte[] significant = (bytes.length > result.length) ? Arrays.copyOfRange(bytes, 1, bytes.length) : bytes;
		System.arraycopy(significant, 0, result, result.length - significant.length, significant.length);
		return result;
	}

}
