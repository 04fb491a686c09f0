package io.idempotent.store;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;

import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;

import io.idempotent.support.StartUpException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * What is encrypted, what can be decrypted, and which ciphers are refused.
 */
class RecordEncryptionTests {

	private static final OperationKey KEY = OperationKey.of("shop", "pay", List.of(), "a");

	private static final OperationKey OTHER_KEY = OperationKey.of("shop", "pay", List.of(), "b");

	private static final byte[] CONTENT = "\1{\"card\":\"4711\"}".getBytes(StandardCharsets.US_ASCII);

	private final RecordEncryption encryption = new RecordEncryption(List.of(gcm("new", 1)));

	@Test
	void whatIsEncryptedIsRestored() {
		byte[] stored = this.encryption.encrypt(KEY, "arguments", CONTENT);
		assertThat(new String(stored, StandardCharsets.ISO_8859_1)).doesNotContain("card", "4711");
		assertThat(this.encryption.decrypt(KEY, "arguments", stored)).isEqualTo(CONTENT);
		assertThat(this.encryption.decrypt(KEY, "arguments", this.encryption.encrypt(KEY, "arguments", new byte[0])))
			.isEmpty();
		assertThat(this.encryption.isActive()).isTrue();
	}

	@Test
	void theSameContentIsNeverEncryptedAlike() {
		assertThat(this.encryption.encrypt(KEY, "arguments", CONTENT))
			.isNotEqualTo(this.encryption.encrypt(KEY, "arguments", CONTENT));
	}

	@Test
	void aPlaceOfAnotherKeyOrPurposeIsNoticed() {
		byte[] stored = this.encryption.encrypt(KEY, "arguments", CONTENT);
		assertUnreadable(OTHER_KEY, "arguments", stored, "in this place");
		assertUnreadable(KEY, "outcome", stored, "in this place");
	}

	@Test
	void whatWasChangedIsNoticedByteByByte() {
		byte[] stored = this.encryption.encrypt(KEY, "arguments", CONTENT);
		for (int i = 0; i < stored.length; i++) {
			byte[] changed = stored.clone();
			changed[i] ^= 1;
			assertUnreadable(KEY, "arguments", changed, "is not used");
		}
		assertUnreadable(KEY, "arguments", Arrays.copyOf(stored, 1), "no encryptor decrypts it");
	}

	@Test
	void whatIsNotEncryptedIsNotUsed() {
		assertUnreadable(KEY, "arguments", CONTENT, "it is not encrypted");
		assertUnreadable(KEY, "arguments", new byte[0], "it is not encrypted");
	}

	@Test
	void theFirstCipherEncryptsAndAllDecrypt() {
		RecordEncryption rotated = new RecordEncryption(List.of(gcm("newer", 2), gcm("new", 1)));
		byte[] before = this.encryption.encrypt(KEY, "arguments", CONTENT);
		assertThat(rotated.decrypt(KEY, "arguments", before)).isEqualTo(CONTENT);
		byte[] after = rotated.encrypt(KEY, "arguments", CONTENT);
		assertThat(new RecordEncryption(List.of(gcm("newer", 2))).decrypt(KEY, "arguments", after)).isEqualTo(CONTENT);
		assertUnreadable(KEY, "arguments", after, "no encryptor decrypts it");
	}

	@Test
	void withoutACipherNothingChanges() {
		assertThat(RecordEncryption.NONE.isActive()).isFalse();
		assertThat(RecordEncryption.NONE.encrypt(KEY, "arguments", CONTENT)).isSameAs(CONTENT);
		assertThat(RecordEncryption.NONE.decrypt(KEY, "arguments", CONTENT)).isSameAs(CONTENT);
		assertThat(RecordEncryption.NONE.decrypt(KEY, "arguments", new byte[0])).isEmpty();
		byte[] encrypted = this.encryption.encrypt(KEY, "arguments", CONTENT);
		assertThatExceptionOfType(UnreadableRecordException.class)
			.isThrownBy(() -> RecordEncryption.NONE.decrypt(KEY, "arguments", encrypted));
	}

	@Test
	void anOutcomeThatCannotBeDecryptedIsATombstone() {
		Outcome answer = Outcome.stored(CONTENT);
		Outcome stored = this.encryption.encrypt(KEY, answer);
		assertThat(stored).isNotEqualTo(answer);
		assertThat(this.encryption.decrypt(KEY, stored)).isEqualTo(answer);
		assertThat(this.encryption.decrypt(OTHER_KEY, stored)).isEqualTo(Outcome.TOMBSTONE);
		assertThat(this.encryption.decrypt(KEY, answer)).isEqualTo(Outcome.TOMBSTONE);
		assertThat(this.encryption.encrypt(KEY, Outcome.TOMBSTONE)).isEqualTo(Outcome.TOMBSTONE);
		assertThat(this.encryption.decrypt(KEY, Outcome.TOMBSTONE)).isEqualTo(Outcome.TOMBSTONE);
	}

	@Test
	void anOutcomeThatCannotBeEncryptedIsATombstone() {
		RecordEncryption.Cipher good = gcm("good", 1);
		AtomicInteger calls = new AtomicInteger();
		RecordEncryption failing = new RecordEncryption(List.of(new RecordEncryption.Cipher("failing", (bytes) -> {
			if (calls.getAndIncrement() > 0) {
				throw new IllegalStateException("The key is away");
			}
			return good.encrypt().apply(bytes);
		}, good.decrypt())));
		assertThat(failing.encrypt(KEY, Outcome.stored(CONTENT))).isEqualTo(Outcome.TOMBSTONE);
	}

	/** As ciphers in Kotlin do, which declare no exceptions. */
	@Test
	void aCipherMayThrowCheckedExceptions() {
		RecordEncryption rotated = new RecordEncryption(List.of(checked(gcm("newer", 2)), checked(gcm("new", 1))));
		Outcome stored = this.encryption.encrypt(KEY, Outcome.stored(CONTENT));
		assertThat(rotated.decrypt(KEY, stored)).isEqualTo(Outcome.stored(CONTENT));
		assertThat(rotated.decrypt(OTHER_KEY, Outcome.stored(new byte[] { (byte) 0xe1, 1 })))
			.isEqualTo(Outcome.TOMBSTONE);
		assertThat(rotated.encrypt(KEY, Outcome.stored(new byte[4711]))).isEqualTo(Outcome.TOMBSTONE);
	}

	private static RecordEncryption.Cipher checked(RecordEncryption.Cipher cipher) {
		return new RecordEncryption.Cipher(cipher.name(), (bytes) -> {
			if (bytes.length > 4711) {
				RecordEncryptionTests.sneak(new GeneralSecurityException("too long"));
			}
			return cipher.encrypt().apply(bytes);
		}, (bytes) -> {
			try {
				return cipher.decrypt().apply(bytes);
			}
			catch (RuntimeException ex) {
				RecordEncryptionTests.sneak(new GeneralSecurityException(ex));
				throw ex;
			}
		});
	}

	@SuppressWarnings("unchecked")
	private static <X extends Throwable> void sneak(Throwable failure) throws X {
		throw (X) failure;
	}

	/** At the beginning, in the middle, at the end. */
	@ParameterizedTest
	@ValueSource(doubles = { 0, 0.5, 1 })
	void aCipherThatDoesNotNoticeAChangedBitIsRefused(double unnoticed) {
		RecordEncryption.Cipher good = gcm("good", 1);
		AtomicInteger calls = new AtomicInteger();
		int blind = (int) (unnoticed * 2) + 1;
		RecordEncryption.Cipher bad = new RecordEncryption.Cipher("cardEncryptor", good.encrypt(),
				(bytes) -> (calls.getAndIncrement() == blind) ? CONTENT : good.decrypt().apply(bytes));
		assertThatExceptionOfType(StartUpException.class).isThrownBy(() -> new RecordEncryption(List.of(good, bad)))
			.withMessageContainingAll("'cardEncryptor'", "does not notice that a bit of it was changed",
					"AesGcmBytesEncryptor");
	}

	@Test
	void aCipherThatDoesNotDecryptWhatItHasEncryptedIsRefused() {
		RecordEncryption.Cipher oneWay = new RecordEncryption.Cipher("oneWay", gcm("a", 1).encrypt(),
				gcm("b", 2).decrypt());
		assertThatExceptionOfType(StartUpException.class).isThrownBy(() -> new RecordEncryption(List.of(oneWay)))
			.withMessageContainingAll("'oneWay'", "does not restore what it has encrypted");
	}

	private void assertUnreadable(OperationKey key, String purpose, byte[] stored, String reason) {
		assertThatExceptionOfType(UnreadableRecordException.class)
			.isThrownBy(() -> this.encryption.decrypt(key, purpose, stored))
			.withMessageContainingAll("stored " + purpose + " of an operation (key " + key + ")", reason);
	}

	private static RecordEncryption.Cipher gcm(String name, int key) {
		SecretKeySpec secret = new SecretKeySpec(
				new byte[] { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, (byte) key }, "AES");
		AtomicInteger nonces = new AtomicInteger();
		UnaryOperator<byte[]> encrypt = (bytes) -> {
			byte[] nonce = Arrays.copyOf(new byte[] { (byte) nonces.incrementAndGet() }, 12);
			byte[] encrypted = crypt(Cipher.ENCRYPT_MODE, secret, nonce, bytes);
			byte[] all = Arrays.copyOf(nonce, 12 + encrypted.length);
			System.arraycopy(encrypted, 0, all, 12, encrypted.length);
			return all;
		};
		return new RecordEncryption.Cipher(name, encrypt, (all) -> crypt(Cipher.DECRYPT_MODE, secret,
				Arrays.copyOf(all, 12), Arrays.copyOfRange(all, 12, all.length)));
	}

	private static byte[] crypt(int mode, SecretKeySpec secret, byte[] nonce, byte[] bytes) {
		try {
			Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
			cipher.init(mode, secret, new GCMParameterSpec(128, nonce));
			return cipher.doFinal(bytes);
		}
		catch (GeneralSecurityException ex) {
			throw new IllegalStateException(ex);
		}
	}

}
