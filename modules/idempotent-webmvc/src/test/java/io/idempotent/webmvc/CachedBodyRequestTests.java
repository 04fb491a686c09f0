package io.idempotent.webmvc;

import java.io.IOException;

import io.idempotent.webmvc.response.DeferredResponse;
import jakarta.servlet.http.HttpServletRequestWrapper;
import org.junit.jupiter.api.Test;

import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockHttpServletResponse;

import static org.assertj.core.api.Assertions.assertThat;

class CachedBodyRequestTests {

	private static final int LIMIT = 20;

	@Test
	void readsABodyUpToTheLimitTwice() throws IOException {
		CachedBodyRequest request = request(LIMIT, LIMIT);
		assertThat(request.readBody(LIMIT)).isEqualTo(body(LIMIT));
		assertThat(request.getInputStream().readAllBytes()).isEqualTo(body(LIMIT));
	}

	@Test
	void readsABodyOfUnknownLengthUpToTheLimit() throws IOException {
		assertThat(request(LIMIT, -1).readBody(LIMIT)).isEqualTo(body(LIMIT));
		assertThat(request(LIMIT + 1, -1).readBody(LIMIT)).isNull();
		assertThat(request(0, -1).readBody(LIMIT)).isEmpty();
	}

	@Test
	void readsABodyLongerThanDeclared() throws IOException {
		assertThat(request(15, 10).readBody(LIMIT)).isEqualTo(body(15));
		assertThat(request(1, 0).readBody(LIMIT)).isEqualTo(body(1));
		assertThat(request(LIMIT, 10).readBody(LIMIT)).isEqualTo(body(LIMIT));
		assertThat(request(LIMIT + 1, 10).readBody(LIMIT)).isNull();
		assertThat(request(LIMIT + 1, LIMIT).readBody(LIMIT)).isNull();
	}

	@Test
	void doesNotReadABodyDeclaredTooLong() throws IOException {
		CachedBodyRequest request = request(LIMIT + 1, LIMIT + 1);
		assertThat(request.readBody(LIMIT)).isNull();
		assertThat(request.getInputStream().readAllBytes()).isEqualTo(body(LIMIT + 1));
	}

	private static CachedBodyRequest request(int length, int declared) {
		MockHttpServletRequest request = new MockHttpServletRequest("POST", "/orders");
		request.setContent(body(length));
		return new CachedBodyRequest(new HttpServletRequestWrapper(request) {

			@Override
			public long getContentLengthLong() {
				return declared;
			}

		}, new DeferredResponse(new MockHttpServletResponse()));
	}

	private static byte[] body(int length) {
		byte[] body = new byte[length];
		for (int i = 0; i < length; i++) {
			body[i] = (byte) i;
		}
		return body;
	}

}
