package io.idempotent.boot.endpoint;

import io.idempotent.administration.OperationCatalog.SentKey;
import org.jspecify.annotations.Nullable;

import org.springframework.util.StringUtils;

/**
 * Which record is meant: by its id, or by what a client sent.
 */
record RecordQuery(@Nullable String id, @Nullable String operation, @Nullable String entrance, @Nullable String caller,
		@Nullable String tenant, @Nullable String session, @Nullable String key, @Nullable String method,
		@Nullable String path, @Nullable String contentType) {

	/**
	 * What the client sent.
	 * @throws BadRequestException if there is no key
	 */
	SentKey sent() {
		if (!StringUtils.hasLength(this.key)) {
			throw new BadRequestException("Give the parameter 'key' as the client sent it, or 'id' alone");
		}
		// An empty parameter means none: an empty caller or tenant is never in a key.
		return new SentKey(this.key, orNull(this.caller), orNull(this.tenant), orNull(this.session),
				orNull(this.method), orNull(this.path), orNull(this.contentType));
	}

	private static @Nullable String orNull(@Nullable String text) {
		return StringUtils.hasLength(text) ? text : null;
	}

}
