package io.idempotent.test.web;

import io.idempotent.Refusal;
import io.idempotent.SubmissionRefusedException;

import org.springframework.mock.web.MockHttpServletResponse;
import org.springframework.test.web.servlet.MvcResult;
import org.springframework.test.web.servlet.ResultMatcher;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Matches the answers that MockMvc gets. With {@code MockMvcTester}, use
 * {@code assertThat(result).matches(replayed())}.
 */
public final class IdempotencyMockMvcResultMatchers {

	private IdempotencyMockMvcResultMatchers() {
	}

	/** Matches a stored answer: the handler method did not run. */
	public static ResultMatcher replayed() {
		return (result) -> assertThat(result.getResponse().getHeaderNames())
			.as("headers of a response that should be replayed")
			.contains(replayedHeader(result));
	}

	/** Matches any answer that is not a stored one. */
	public static ResultMatcher notReplayed() {
		return (result) -> assertThat(result.getResponse().getHeaderNames())
			.as("headers of a response that should not be replayed")
			.doesNotContain(replayedHeader(result));
	}

	private static String replayedHeader(MvcResult result) {
		return HttpNames.in(result.getRequest().getServletContext()).replayedHeader();
	}

	/**
	 * Matches the answer to a submission that was refused for this reason. The refusal is
	 * recognised by the exception, or by the {@code code} of the error document in the
	 * format of any profile.
	 */
	public static ResultMatcher refused(Refusal refusal) {
		return (result) -> {
			if (result.getResolvedException() instanceof SubmissionRefusedException refused) {
				assertThat(refused.refusal()).as("refusal").isEqualTo(refusal);
			}
			else {
				MockHttpServletResponse response = result.getResponse();
				Problems.assertRefused(refusal, response.getStatus(), response.getContentAsString());
			}
		};
	}

}
