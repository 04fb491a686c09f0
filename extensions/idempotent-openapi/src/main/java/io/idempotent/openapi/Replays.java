package io.idempotent.openapi;

import java.util.Map;

import io.idempotent.webmvc.internal.description.OperationDescriptions.Described;
import io.idempotent.webmvc.internal.description.OperationDescriptions.Header;
import io.swagger.v3.oas.models.responses.ApiResponse;
import io.swagger.v3.oas.models.responses.ApiResponses;

/** Documents which responses may be replays. */
final class Replays {

	private static final int FIRST_STATUS = 100;

	private Replays() {
	}

	/** Adds the header of a replay to each response that may be one. */
	static void mark(ApiResponses responses, Described described) {
		Header replayed = described.replayed();
		if (replayed == null) {
			return;
		}
		for (Map.Entry<String, ApiResponse> response : responses.entrySet()) {
			if (described.replays(status(response.getKey()))) {
				response.setValue(SharedParts.copy(response.getValue()));
				Headers.add(response.getValue(), replayed, Headers.mark());
			}
		}
	}

	/** The first status of a class such as {@code 2XX}; {@code default} is no replay. */
	private static int status(String response) {
		String digits = response.replace('X', '0').replace('x', '0');
		return digits.matches("[0-9]{3}") ? Integer.parseInt(digits) : FIRST_STATUS;
	}

}
