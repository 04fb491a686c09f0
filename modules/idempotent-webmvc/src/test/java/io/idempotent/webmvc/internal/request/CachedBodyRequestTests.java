package io.idempotent.webmvc.internal.request;

import java.io.IOException;

import jakarta.servlet.http.HttpServletRequestWrapper;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import org.springframework.mock.web.MockHttpServletRequest;

import static org.assertj.core.api.Assertions.assertThat;

class CachedBodyRequestTests {

	private static final int LIMIT = 20;

	@Test
	void readsABodyUpToTheLimitTwice() throws IOException {
		CachedBodyRequest request = request(LIMIT, LIMIT);
		assertThat(read(request)).isEqualTo(body(LIMIT));
		assertThat(request.getInputStream().readAllBytes()).isEqualTo(body(LIMIT));
	}

	@Test
	void readsABodyOfUnknownLengthUpToTheLimit() throws IOException {
		assertThat(read(request(LIMIT, -1))).isEqualTo(body(LIMIT));
		assertThat(read(request(LIMIT + 1, -1))).isNull();
		assertThat(read(request(0, -1))).isEmpty();
	}

	@Test
	void readsABodyLongerThanDeclared() throws IOException {
		assertThat(read(request(15, 10))).isEqualTo(body(15));
		assertThat(read(request(1, 0))).isEqualTo(body(1));
		assertThat(read(request(LIMIT, 10))).isEqualTo(body(LIMIT));
		assertThat(read(request(LIMIT + 1, 10))).isNull();
		assertThat(read(request(LIMIT + 1, LIMIT))).isNull();
	}

	@Test
	void doesNotReadABodyDeclaredTooLong() throws IOException {
		CachedBodyRequest request = request(LIMIT + 1, LIMIT + 1);
		assertThat(read(request)).isNull();
		assertThat(request.getInputStream().readAllBytes()).isEqualTo(body(LIMIT + 1));
	}

	private static byte @Nullable [] read(CachedBodyRequest request) throws IOException {
		CachedBodyRequest.ReadBody read = request.readBody(request, LIMIT);
		return (read != null) ? read.bytes() : null;
	}

	private static CachedBodyRequest request(int length, int declared) {
		MockHttpServletRequest request = new MockHttpServletRequest("POST", "/orders");
		request.setContent(body(length));
		return new CachedBodyRequest(new HttpServletRequestWrapper(request) {

			@Override
			public long getContentLengthLong() {
				return declared;
			}

		});
	}

	private static byte[] body(int length) {
		byte[] body = new byte[length];
		for (int i = 0; i < length; i++) {
			body[i] = (byte) i;
		}
		return body;
	}

}
