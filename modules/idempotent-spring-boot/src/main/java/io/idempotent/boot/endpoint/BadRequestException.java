package io.idempotent.boot.endpoint;

import java.util.List;

import io.idempotent.boot.endpoint.Responses.ErrorBody;
import org.jspecify.annotations.Nullable;

/**
 * A request to the endpoint that cannot be served. The message contains no input.
 */
final class BadRequestException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	private final int status;

	private final transient ErrorBody body;

	BadRequestException(String error) {
		this(400, error);
	}

	BadRequestException(int status, String error) {
		this(status, new ErrorBody(error, null, null, null, null, null));
	}

	private BadRequestException(int status, ErrorBody body) {
		super(body.error());
		this.status = status;
		this.body = body;
	}

	/**
	 * The operation is not known.
	 * @param names the names of known operations
	 * @param more how many more are known, or {@code null}
	 */
	static BadRequestException unknownOperation(String error, List<String> names, @Nullable Integer more) {
		return new BadRequestException(400, new ErrorBody(error, names, more, null, null, null));
	}

	/**
	 * Several records have the given beginning of an id.
	 */
	static BadRequestException ambiguous(List<String> ids) {
		return new BadRequestException(409, new ErrorBody(
				"Several records begin with this id: give all 43 characters of one", null, null, ids, null, null));
	}

	int status() {
		return this.status;
	}

	ErrorBody body() {
		return this.body;
	}

}
