package io.idempotent.webmvc.internal.response;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;

import io.idempotent.webmvc.internal.response.StoredResponse.Form;
import io.idempotent.webmvc.internal.response.StoredResponse.Header;
import org.junit.jupiter.api.Test;

import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockHttpServletResponse;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class StoredResponseTests {

	private static final byte[] BODY = "größe".getBytes(StandardCharsets.UTF_8);

	private final StoredResponse response = new StoredResponse(Form.BODY, 201,
			List.of(new Header("Location", "/orders/1", true), new Header("X-Note", "größe", false),
					new Header("X-Empty", "", false)),
			BODY);

	@Test
	void decodesWhatItEncoded() {
		StoredResponse read = StoredResponse.decode(this.response.encode());
		assertThat(read.status()).isEqualTo(201);
		assertThat(read.headers()).isEqualTo(this.response.headers());
		assertThat(read.body()).isEqualTo(BODY);
	}

	@Test
	void keepsTheFormatThatOtherNodesRead() {
		byte[] encoded = new StoredResponse(Form.REDIRECT, 302, List.of(new Header("A", "bc", true)), new byte[] { 7 })
			.encode();
		assertThat(encoded).containsExactly(2, 2, 1, 46, 0, 1, 1, 0, 1, 'A', 0, 2, 'b', 'c', 7);
	}

	@Test
	void refusesATruncatedResponse() {
		byte[] encoded = this.response.encode();
		for (int length = 0; length < encoded.length - BODY.length; length++) {
			byte[] torn = Arrays.copyOf(encoded, length);
			assertThatIllegalArgumentException().isThrownBy(() -> StoredResponse.decode(torn))
				.withMessageStartingWith("A stored response is corrupt");
		}
	}

	@Test
	void refusesAHeaderTooLongForTheFormat() {
		StoredResponse large = new StoredResponse(Form.BODY, 200, List.of(new Header("A", "x".repeat(65536), true)),
				BODY);
		assertThatIllegalArgumentException().isThrownBy(large::encode);
	}

	@Test
	void refusesAStatusThatCannotBeSent() {
		for (int status : new int[] { 0, 99, 100, 199, 600, 65535 }) {
			byte[] forged = new StoredResponse(Form.BODY, status, List.of(), BODY).encode();
			assertThatIllegalArgumentException().isThrownBy(() -> StoredResponse.decode(forged))
				.withMessageContaining("status " + status);
		}
	}

	@Test
	void aRedirectKeepsItsLocationAlthoughNoHeaderIsReplayed() throws IOException {
		BufferedResponse first = new BufferedResponse(new MockHttpServletResponse(), 100, true);
		first.sendRedirect("/orders/1");
		assertThat(replay(first, (name) -> false).getRedirectedUrl()).isEqualTo("/orders/1");
	}

	@Test
	void aHeaderThatIsNamedCharacterEncodingIsAHeader() throws IOException {
		BufferedResponse first = new BufferedResponse(new MockHttpServletResponse(), 100, true);
		first.setHeader("Character-Encoding", "x");
		assertThat(replay(first, (name) -> true).getHeader("Character-Encoding")).isEqualTo("x");
	}

	private static MockHttpServletResponse replay(BufferedResponse first, Predicate<String> replayed)
			throws IOException {
		CallerSecrets none = CallerSecrets.of(new MockHttpServletRequest(), Set.of());
		StoredResponse stored = Objects.requireNonNull(StoredResponse.of(first, new byte[0], none, replayed));
		MockHttpServletResponse repeat = new MockHttpServletResponse();
		StoredResponse.decode(stored.encode()).writeTo(repeat, "Idempotency-Replayed", false);
		return repeat;
	}

	@Test
	void recordsHeadersAsTheyWereSet() {
		BufferedResponse response = new BufferedResponse(new MockHttpServletResponse(), 100, true);
		response.addHeader("Vary", "Origin");
		response.setHeader("vary", "Accept");
		response.addHeader("Link", "<a>");
		response.addHeader("Link", "<b>");
		response.addHeader("Set-Cookie", "a=b");
		assertThat(response.headers((name) -> !name.equals("set-cookie"))).containsExactly(
				new Header("vary", "Accept", true), new Header("Link", "<a>", false), new Header("Link", "<b>", false));
	}

}
