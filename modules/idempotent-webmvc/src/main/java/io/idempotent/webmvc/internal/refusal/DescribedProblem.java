package io.idempotent.webmvc.internal.refusal;

import java.util.Map;

import io.idempotent.IdempotencyProfile.ErrorFormat;
import io.idempotent.Refusal;
import org.jspecify.annotations.Nullable;

/**
 * The error document of a refusal.
 *
 * @param refusal the refusal
 * @param format the format of the document
 * @param status the status of the response
 * @param title its title
 * @param detail its explanation
 * @param mediaType the media type of the document
 * @param body the members of the document, in their order: texts, integers and maps
 * @param retryAfter the value of {@code Retry-After}, or {@code null} if there is none
 */
public record DescribedProblem(Refusal refusal, ErrorFormat format, int status, String title, String detail,
		String mediaType, Map<String, Object> body, @Nullable String retryAfter) {

	/**
	 * The code of the refusal in this format.
	 */
	public String code() {
		return this.format.code(this.refusal);
	}

}
