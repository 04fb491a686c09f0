package io.idempotent.store;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.HexFormat;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class DigestTests {

	@Test
	void everyPartStandsBehindItsLength() throws Exception {
		byte[] text = "größe".getBytes(StandardCharsets.UTF_8);
		MessageDigest expected = MessageDigest.getInstance("SHA-256");
		expected.update(ByteBuffer.allocate(4).putInt(text.length).array());
		expected.update(text);
		expected.update(ByteBuffer.allocate(4).putInt(300).array());
		expected.update(new byte[300]);
		Digest digest = Digest.sha256().add("größe").add(new byte[300]).build();
		assertThat(digest.bytes()).isEqualTo(expected.digest());
	}

	@Test
	void partsDoNotRunIntoOneAnother() {
		Digest digest = Digest.sha256().add("ab").add("c").build();
		assertThat(digest).isNotEqualTo(Digest.sha256().add("a").add("bc").build())
			.isNotEqualTo(Digest.sha256().add("abc").build())
			.isNotEqualTo(Digest.sha256().add("ab").add("c").add("").build());
		assertThat(digest).isEqualTo(Digest.sha256().add("ab").add(new byte[] { 'c' }).build());
	}

	@Test
	void aDigestIsAValue() {
		byte[] bytes = Digest.sha256().add("content").build().bytes();
		Digest digest = Digest.of(bytes);
		assertThat(digest).isEqualTo(Digest.of(bytes)).hasSameHashCodeAs(Digest.of(bytes)).isNotEqualTo("content");
		assertThat(digest.hashCode()).isNotEqualTo(Digest.sha256().add("else").build().hashCode());
		assertThat(digest.bytes()).isEqualTo(bytes);
	}

	@Test
	void nobodyChangesADigestFromOutside() {
		byte[] bytes = new byte[Digest.LENGTH];
		Digest digest = Digest.of(bytes);
		bytes[0] = 1;
		digest.bytes()[1] = 1;
		assertThat(digest.bytes()).isEqualTo(new byte[Digest.LENGTH]);
	}

	@Test
	void aDigestHasThirtyTwoBytes() {
		assertThatIllegalArgumentException().isThrownBy(() -> Digest.of(new byte[31]))
			.withMessage("A digest has 32 bytes, not 31");
		assertThatIllegalArgumentException().isThrownBy(() -> Digest.of(new byte[33]));
	}

	@Test
	void asTextItIsBase64urlWithoutPadding() {
		Digest digest = Digest.sha256().add("content").build();
		assertThat(digest.encoded()).hasSize(43);
		assertThat(Base64.getUrlDecoder().decode(digest.encoded())).isEqualTo(digest.bytes());
	}

	@Test
	void inALogItIsItsFirstSixBytes() {
		Digest digest = Digest.sha256().add("content").build();
		assertThat(digest).hasToString(HexFormat.of().formatHex(digest.bytes()).substring(0, 12));
	}

}
