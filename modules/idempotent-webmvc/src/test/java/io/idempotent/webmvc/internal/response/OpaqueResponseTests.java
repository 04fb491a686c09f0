package io.idempotent.webmvc.internal.response;

import java.util.List;

import jakarta.servlet.http.HttpServletResponse;
import org.junit.jupiter.api.Test;

import org.springframework.mock.web.MockHttpServletResponse;

import static org.assertj.core.api.Assertions.assertThat;

class OpaqueResponseTests {

	@Test
	void itEqualsOnlyItself() {
		HttpServletResponse delegate = new MockHttpServletResponse();
		HttpServletResponse opaque = OpaqueResponse.of(delegate);
		assertThat(List.of(opaque)).contains(opaque).doesNotContain(delegate);
	}

}
