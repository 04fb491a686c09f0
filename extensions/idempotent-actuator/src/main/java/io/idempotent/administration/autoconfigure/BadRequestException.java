package io.idempotent.administration.autoconfigure;

import io.idempotent.administration.autoconfigure.Responses.ErrorBody;

/** A request to the endpoint that cannot be served. The message contains no input. */
final class BadRequestException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	private final int status;

	private final transient ErrorBody body;

	BadRequestException(String error) {
		this(400, ErrorBody.of(error));
	}

	BadRequestException(int status, ErrorBody body) {
		super(body.error());
		this.status = status;
		this.body = body;
	}

	int status() {
		return this.status;
	}

	ErrorBody body() {
		return this.body;
	}

}
