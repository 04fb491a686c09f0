package io.idempotent.audit;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class AuditLineTests {

	@Test
	void writesFieldsInTheirOrder() {
		assertThat(AuditLine.of("release")
			.with("lock", "report:{a}#1")
			.with("by", "alice@example.org")
			.quoted("reason", "stuck"))
			.hasToString("action=release lock=report:{a}#1 by=alice@example.org reason=\"stuck\"");
	}

	@Test
	void quotesWhatLooksLikeAnotherField() {
		assertThat(AuditLine.of("release").with("by", "eve by=alice"))
			.hasToString("action=release by=\"eve by=alice\"");
		assertThat(AuditLine.of("release").with("by", "")).hasToString("action=release by=\"\"");
		assertThat(AuditLine.of("release").with("by", "a\" by=\"b\\"))
			.hasToString("action=release by=\"a\\\" by=\\\"b\\\\\"");
	}

	@Test
	void writesNoSecondLine() {
		assertThat(AuditLine.of("release").with("by", "eve\r\naction=x\u2028\u202e"))
			.hasToString("action=release by=\"eve\\u000d\\u000aaction=x\\u2028\\u202e\"");
	}

	@Test
	void showsNoInvisibleTextAndNoHalfCharacters() {
		assertThat(AuditLine.of("release").quoted("by", "a\udb40\udc41\ud800b\ud83d\ude00"))
			.hasToString("action=release by=\"a\\udb40\\udc41\\ud800b\ud83d\ude00\"");
		assertThat(BoundedText.visible("a\udb40\udc41\ud800\ud83d\ude00b", 4)).isEqualTo("a??\ud83d\ude00");
	}

	@Test
	void trimsAReason() {
		assertThat(BoundedText.require("reason", " 节点 gone ", 200)).isEqualTo("节点 gone");
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "  ", "12345678901", "two\nlines", "\u202eback", "a\udb40\udc41b", "a\ud800" })
	void refusesAReason(String reason) {
		assertThatIllegalArgumentException().isThrownBy(() -> BoundedText.require("reason", reason, 10))
			.withMessageContaining("The reason");
	}

	@Test
	void makesANameVisible() {
		assertThat(BoundedText.visible("eve\nby\u202e=alice", 8)).isEqualTo("eve?by?=");
	}

	@Test
	void refusesAMissingReason() {
		assertThatIllegalArgumentException().isThrownBy(() -> BoundedText.require("reason", null, 10))
			.withMessageContaining("1 to 10 characters");
	}

}
