package io.idempotent.programs;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.function.Function;

import io.idempotent.Refusal;
import io.idempotent.SubmissionRefusedException;
import jakarta.servlet.Filter;
import jakarta.servlet.ServletException;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.mock.web.MockHttpServletResponse;
import org.springframework.test.web.servlet.MockMvc;
import org.springframework.test.web.servlet.request.MockMvcRequestBuilders;
import org.springframework.test.web.servlet.setup.MockMvcBuilders;
import org.springframework.web.context.WebApplicationContext;

/**
 * Sends requests to a node on the current thread, and makes answers and exceptions of its
 * responses.
 */
final class HttpClientOfNode {

	private final MockMvc mvc;

	HttpClientOfNode(WebApplicationContext context) {
		Filter filter = context.getBean("io.idempotent.idempotencyFilter", FilterRegistrationBean.class).getFilter();
		this.mvc = MockMvcBuilders.webAppContextSetup(context).addFilters(filter).build();
	}

	/**
	 * Calls an operation.
	 * @param key the key
	 * @param body what it does if it runs, given the operation key
	 * @return the answer
	 */
	String call(String key, Function<String, String> body) {
		Capture capture = new Capture(body);
		MockHttpServletResponse response = send(key, capture);
		if (response.getStatus() == 200) {
			return new String(response.getContentAsByteArray(), StandardCharsets.UTF_8);
		}
		Refusal refusal = refusal(response);
		if (refusal != null && !(capture.failure instanceof SubmissionRefusedException)) {
			throw new SubmissionRefusedException(refusal, Entrance.HTTP.operation());
		}
		throw Thrown.rethrow((capture.failure != null) ? capture.failure
				: new IllegalStateException("The answer is " + response.getStatus()));
	}

	private MockHttpServletResponse send(String key, Capture capture) {
		try {
			return this.mvc
				.perform(MockMvcRequestBuilders.post(CalledController.PATH)
					.header("Idempotency-Key", key)
					.requestAttr(CalledController.BODY, capture))
				.andReturn()
				.getResponse();
		}
		catch (ServletException ex) {
			throw Thrown.rethrow((ex.getCause() != null) ? ex.getCause() : new IllegalStateException(ex));
		}
		catch (RuntimeException ex) {
			throw ex;
		}
		catch (Exception ex) {
			throw new IllegalStateException(ex);
		}
	}

	private static @Nullable Refusal refusal(MockHttpServletResponse response) {
		String text = new String(response.getContentAsByteArray(), StandardCharsets.UTF_8);
		return Arrays.stream(Refusal.values())
			.filter((each) -> text.contains("\"code\":\"" + each.code() + "\""))
			.findFirst()
			.orElse(null);
	}

	/**
	 * Remembers what was thrown: of a problem document nobody can tell whose it is.
	 */
	private static final class Capture implements Function<String, String> {

		private final Function<String, String> body;

		private @Nullable Throwable failure;

		Capture(Function<String, String> body) {
			this.body = body;
		}

		@Override
		public String apply(String operationKey) {
			try {
				return this.body.apply(operationKey);
			}
			catch (RuntimeException | Error ex) {
				this.failure = ex;
				throw ex;
			}
		}

	}

}
