package io.idempotent.webmvc.internal.submission;

import org.junit.jupiter.api.Test;

import org.springframework.mock.web.MockHttpServletRequest;

import static org.assertj.core.api.Assertions.assertThat;

class HttpSubmissionTests {

	@Test
	void theDispatchToAnErrorPageIsNoSubmission() {
		// The container passes its own request on, with the attributes of the submission.
		MockHttpServletRequest request = new MockHttpServletRequest("POST", "/error");
		request.setAttribute(HttpSubmission.class.getName(), "the submission that has ended");
		assertThat(HttpSubmission.find(request)).isNull();
	}

}
