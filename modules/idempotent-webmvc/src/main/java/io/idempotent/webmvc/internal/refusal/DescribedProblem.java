package io.idempotent.webmvc.internal.refusal;

import java.util.Map;

import io.idempotent.IdempotencyProfile.ErrorFormat;
import io.idempotent.Refusal;
import org.jspecify.annotations.Nullable;

/**
 * A refusal's error document. Its members are texts, integers and maps, in order.
 */
public record DescribedProblem(Refusal refusal, ErrorFormat format, int status, String title, String detail,
		String mediaType, Map<String, Object> body, @Nullable String retryAfter) {

	public String code() {
		return this.format.code(this.refusal);
	}

}
