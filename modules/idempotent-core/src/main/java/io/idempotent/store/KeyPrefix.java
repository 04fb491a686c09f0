package io.idempotent.store;

import java.util.Base64;
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
		return fill("A");
	}

	/** The highest {@value Digest#LENGTH} bytes that a key with this prefix can have. */
	public byte[] highest() {
		return fill("_");
	}

	/** The decoder ignores what the last character has beyond the digest. */
	private byte[] fill(String rest) {
		return Base64.getUrlDecoder().decode(this.text + rest.repeat(MAX_LENGTH - this.text.length()));
	}

}
