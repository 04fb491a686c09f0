package io.idempotent.store;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.UnaryOperator;

import io.idempotent.support.StartUpException;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/**
 * Encrypts what is stored of operations: their outcomes, and the results and arguments of
 * steps. What is encrypted is bound to the key of its operation and to its purpose: it
 * cannot be decrypted in another place. The first {@link Cipher} encrypts, and all
 * decrypt, so that keys can be rotated. Without a cipher nothing is encrypted; with one,
 * what is stored without encryption is unreadable, so that nobody plants an answer.
 * Blocks as long as its ciphers do. Safe for use by several threads, if they are.
 */
public final class RecordEncryption {

	/** Encrypts nothing. */
	public static final RecordEncryption NONE = new RecordEncryption(List.of());

	private static final Log logger = LogFactory.getLog(RecordEncryption.class);

	/** No format of a stored answer, result or argument begins with this byte. */
	private static final byte ENCRYPTED = (byte) 0xe1;

	private static final String OUTCOME = "outcome";

	private final List<Cipher> ciphers;

	private final AtomicBoolean warned = new AtomicBoolean();

	/** Throws a {@link StartUpException} if a cipher does not authenticate. */
	public RecordEncryption(List<Cipher> ciphers) {
		ciphers.forEach(Cipher::requireAuthenticated);
		this.ciphers = List.copyOf(ciphers);
		if (isActive()) {
			logger.info("What is stored of idempotent operations is encrypted by '" + ciphers.get(0).name() + "'");
		}
	}

	public boolean isActive() {
		return !this.ciphers.isEmpty();
	}

	/**
	 * Encrypts the answer, if there is one. If the cipher fails, the result is a
	 * tombstone.
	 */
	public Outcome encrypt(OperationKey key, Outcome outcome) {
		try {
			return (isActive() && outcome instanceof Outcome.Stored stored)
					? Outcome.stored(encrypt(key, OUTCOME, stored.answer())) : outcome;
		}
		catch (Throwable ex) {
			logger.warn("The answer of an operation (key " + key
					+ ") could not be encrypted, and is not stored: repeats of an effect are refused as response-unavailable, "
					+ "and repeats of an error run", ex);
			return Outcome.TOMBSTONE;
		}
	}

	/**
	 * Decrypts the answer, if there is one. An unreadable one is a tombstone: it is not
	 * replayed, and the operation does not run again. The first is logged as a warning.
	 */
	public Outcome decrypt(OperationKey key, Outcome outcome) {
		try {
			return (outcome instanceof Outcome.Stored stored) ? Outcome.stored(decrypt(key, OUTCOME, stored.answer()))
					: outcome;
		}
		catch (UnreadableRecordException ex) {
			if (this.warned.compareAndSet(false, true)) {
				logger.warn(ex.getMessage()
						+ ". Repeats are refused as response-unavailable; further ones are logged at DEBUG");
			}
			logger.debug(ex.getMessage());
			return Outcome.TOMBSTONE;
		}
	}

	/**
	 * Encrypts content. Throws what the cipher throws.
	 * @param purpose what of the operation it is
	 */
	public byte[] encrypt(OperationKey key, String purpose, byte[] content) {
		if (!isActive()) {
			return content;
		}
		byte[] place = place(key, purpose);
		byte[] encrypted = this.ciphers.get(0)
			.encrypt()
			.apply(ByteBuffer.allocate(place.length + content.length).put(place).put(content).array());
		return ByteBuffer.allocate(1 + encrypted.length).put(ENCRYPTED).put(encrypted).array();
	}

	/**
	 * Decrypts what was encrypted for the same key and purpose.
	 * @throws UnreadableRecordException if it is not that, or no cipher can decrypt it
	 */
	public byte[] decrypt(OperationKey key, String purpose, byte[] stored) {
		boolean encrypted = stored.length > 0 && stored[0] == ENCRYPTED;
		if (!encrypted && !isActive()) {
			return stored;
		}
		byte[] place = place(key, purpose);
		for (Cipher cipher : encrypted ? this.ciphers : List.<Cipher>of()) {
			byte[] found = cipher.decryptOrNothing(Arrays.copyOfRange(stored, 1, stored.length));
			if (found.length >= place.length && Arrays.equals(found, 0, place.length, place, 0, place.length)) {
				return Arrays.copyOfRange(found, place.length, found.length);
			}
		}
		throw new UnreadableRecordException("The stored " + purpose + " of an operation (key " + key + ") is not used: "
				+ (encrypted
						? "no encryptor decrypts it in this place. Keep a former one until what it has encrypted has "
								+ "expired"
						: "it is not encrypted, but was stored before that was switched on, or by somebody else"));
	}

	private static byte[] place(OperationKey key, String purpose) {
		return key.derive("stored " + purpose).digest().bytes();
	}

	/**
	 * Encrypts and decrypts bytes, and throws a {@link RuntimeException} for bytes that
	 * it did not encrypt.
	 *
	 * @param name for messages, such as that of a bean
	 */
	public record Cipher(String name, UnaryOperator<byte[]> encrypt, UnaryOperator<byte[]> decrypt) {

		private byte[] decryptOrNothing(byte[] encrypted) {
			try {
				return this.decrypt.apply(encrypted);
			}
			catch (Exception ex) {
				logger.debug("Encryptor '" + this.name + "' does not decrypt a record", ex);
				return new byte[0];
			}
		}

		/** What is not authenticated often begins with an initialization vector. */
		private void requireAuthenticated() {
			byte[] sample = new byte[100];
			byte[] encrypted = this.encrypt.apply(sample);
			boolean authenticates = Arrays.equals(decryptOrNothing(encrypted), sample);
			for (int changed : new int[] { 0, encrypted.length / 2, encrypted.length - 1 }) {
				byte[] forged = encrypted.clone();
				forged[changed] ^= 1;
				authenticates &= decryptOrNothing(forged).length == 0;
			}
			if (!authenticates) {
				throw new StartUpException("Encryptor '" + this.name
						+ "' of stored records does not restore what it has "
						+ "encrypted, or does not notice that a bit of it was changed, so that an answer could be forged",
						"Use AesGcmBytesEncryptor of Spring Security (Encryptors.stronger on Spring Boot 3.5): AES with CBC, "
								+ "as of Encryptors.standard, does not authenticate",
						null);
			}
		}

	}

}
