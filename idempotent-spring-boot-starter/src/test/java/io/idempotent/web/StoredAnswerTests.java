package io.idempotent.web;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

import io.idempotent.web.StoredAnswer.Header;
import org.junit.jupiter.api.Test;

import org.springframework.mock.web.MockHttpServletResponse;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class StoredAnswerTests {

	private static final byte[] BODY = "größe".getBytes(StandardCharsets.UTF_8);

	private final StoredAnswer answer = new StoredAnswer(201,
			List.of(new Header("Location", "/orders/1"), new Header("X-Note", "größe"), new Header("X-Empty", "")),
			BODY);

	@Test
	void anAnswerIsReadAsItWasWritten() {
		StoredAnswer read = StoredAnswer.decode(this.answer.encode());
		assertThat(read.status()).isEqualTo(201);
		assertThat(read.headers()).isEqualTo(this.answer.headers());
		assertThat(read.body()).isEqualTo(BODY);
	}

	@Test
	void theFormatIsWhatOtherNodesRead() {
		byte[] encoded = new StoredAnswer(200, List.of(new Header("A", "bc")), new byte[] { 7 }).encode();
		assertThat(encoded).containsExactly(1, 0, 200, 0, 1, 0, 1, 'A', 0, 2, 'b', 'c', 7);
	}

	@Test
	void aTornAnswerIsCorrupt() {
		byte[] encoded = this.answer.encode();
		for (int length = 0; length < encoded.length - BODY.length; length++) {
			byte[] torn = Arrays.copyOf(encoded, length);
			assertThatIllegalArgumentException().isThrownBy(() -> StoredAnswer.decode(torn))
				.withMessage("A stored answer is corrupt");
		}
	}

	@Test
	void aStatusThatIsNoneIsNotSent() {
		for (int status : new int[] { 0, 99, 600, 65535 }) {
			byte[] forged = new StoredAnswer(status, List.of(), BODY).encode();
			assertThatIllegalArgumentException().isThrownBy(() -> StoredAnswer.decode(forged))
				.withMessageContaining("status " + status);
		}
	}

	@Test
	void aHeaderLongerThanTheFormatAllowsIsNotStored() {
		StoredAnswer large = new StoredAnswer(200, List.of(new Header("A", "x".repeat(65536))), BODY);
		assertThatIllegalArgumentException().isThrownBy(large::encode);
	}

	@Test
	void onlyHeadersThatAreThereAreTaken() {
		MockHttpServletResponse response = new MockHttpServletResponse();
		response.setContentType("text/plain");
		response.addHeader("Link", "<a>");
		response.addHeader("Link", "<b>");
		response.addHeader("X-Other", "c");
		StoredAnswer taken = StoredAnswer.of(response, List.of("Location", "Link"), BODY);
		assertThat(taken.headers()).containsExactly(new Header("Content-Type", "text/plain"), new Header("Link", "<a>"),
				new Header("Link", "<b>"));
	}

}
