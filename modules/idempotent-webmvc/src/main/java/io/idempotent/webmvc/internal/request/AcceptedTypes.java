package io.idempotent.webmvc.internal.request;

import java.util.Arrays;
import java.util.Collections;
import java.util.List;

import jakarta.servlet.http.HttpServletRequest;
import org.jspecify.annotations.Nullable;

import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.util.MimeTypeUtils;

/**
 * The media types that a client accepts, by its header alone: how an application
 * negotiates the content of its own responses does not matter.
 */
public final class AcceptedTypes {

	private AcceptedTypes() {
	}

	/**
	 * The offer that the client prefers: the first one if it accepts anything,
	 * {@code null} if it accepts none.
	 */
	public static @Nullable MediaType prefer(HttpServletRequest request, MediaType... offers) {
		String header = String.join(",", Collections.list(request.getHeaders(HttpHeaders.ACCEPT)));
		try {
			List<MediaType> accepted = MediaType.parseMediaTypes(header.isBlank() ? MediaType.ALL_VALUE : header);
			// By their quality first.
			MimeTypeUtils.sortBySpecificity(accepted);
			// A quality of 0 means not acceptable.
			return accepted.stream()
				.filter((type) -> type.getQualityValue() > 0)
				.flatMap((type) -> Arrays.stream(offers).filter((offer) -> decides(type, offer, accepted)))
				.findFirst()
				.orElse(null);
		}
		catch (IllegalArgumentException ex) {
			// Malformed, or too many media types to sort.
			return null;
		}
	}

	/** The most specific type that includes an offer gives its quality. */
	private static boolean decides(MediaType type, MediaType offer, List<MediaType> accepted) {
		return type.includes(offer) && accepted.stream()
			.noneMatch((other) -> other.includes(offer) && type.includes(other) && !other.includes(type));
	}

}
