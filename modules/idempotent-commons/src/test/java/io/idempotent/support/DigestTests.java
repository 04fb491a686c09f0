package io.idempotent.support;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

class DigestTests {

	@Test
	void everyPartIsPrecededByItsLength() throws Exception {
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
	void partsOfAnyLengthCountWhole() throws Exception {
		for (int length = 0; length < 1100; length++) {
			byte[] bytes = "x".repeat(length).getBytes(StandardCharsets.UTF_8);
			MessageDigest expected = MessageDigest.getInstance("SHA-256");
			for (int part = 0; part < 3; part++) {
				expected.update(ByteBuffer.allocate(4).putInt(length).array());
				expected.update(bytes);
			}
			Digest digest = Digest.sha256().add(bytes).add("x".repeat(length)).add(bytes).build();
			assertThat(digest.bytes()).as("parts of %d", length).isEqualTo(expected.digest());
		}
	}

	@Test
	void unpairedSurrogatesYieldDifferentDigests() {
		Set<Digest> digests = new HashSet<>();
		for (char c = Character.MIN_SURROGATE; c <= Character.MAX_SURROGATE; c++) {
			digests.add(Digest.sha256().add("a" + c + "b\ud83d\ude00").build());
		}
		digests.add(Digest.sha256().add("a?b\ud83d\ude00").build());
		digests.add(Digest.sha256().add("a\ufffdb\ud83d\ude00").build());
		assertThat(digests).hasSize(Character.MAX_SURROGATE - Character.MIN_SURROGATE + 3);
	}

	@Test
	void aTextIsHashedAsUtf8() {
		for (String text : List.of("\ud83d\ude00", "x\ud83d\ude00y", "\u4e2d".repeat(700), "")) {
			assertThat(Digest.sha256().add(text).build())
				.isEqualTo(Digest.sha256().add(text.getBytes(StandardCharsets.UTF_8)).build());
		}
	}

	@Test
	void aDigestWithinAnotherIsADigestOfItsOwn() {
		Digest.Builder outer = Digest.sha256().add("a");
		Digest inner = Digest.sha256().add("b").build();
		assertThat(outer.add("c").build()).isEqualTo(Digest.sha256().add("a").add("c").build());
		assertThat(inner).isEqualTo(Digest.sha256().add("b").build());
	}

	@Test
	void anAbandonedDigestLeavesNothingBehind() {
		Digest expected = Digest.sha256().add("b").build();
		Digest.sha256().add("a");
		assertThat(Digest.sha256().add("b").build()).isEqualTo(expected);
	}

	@Test
	void aBuilderBuildsOneDigest() {
		Digest.Builder builder = Digest.sha256().add("a");
		builder.build();
		assertThatIllegalStateException().isThrownBy(() -> builder.add("b"));
		assertThatIllegalStateException().isThrownBy(builder::build);
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
	void aDigestIsImmutable() {
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
	void inALogItIsAbbreviated() {
		Digest digest = Digest.sha256().add("content").build();
		assertThat(digest).hasToString(digest.encoded().substring(0, 12));
	}

}
