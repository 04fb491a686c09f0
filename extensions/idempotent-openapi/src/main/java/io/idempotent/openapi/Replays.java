package io.idempotent.openapi;

import java.math.BigDecimal;
import java.util.Map;
import java.util.Set;
import java.util.function.IntPredicate;
import java.util.stream.Collectors;

import io.idempotent.openapi.OperationDescriptions.Described;
import io.idempotent.openapi.OperationDescriptions.Header;
import io.idempotent.webmvc.internal.refusal.ErrorDocument;
import io.swagger.v3.oas.models.media.Schema;
import io.swagger.v3.oas.models.responses.ApiResponse;
import io.swagger.v3.oas.models.responses.ApiResponses;

/** Documents which responses may be replays, and which keys are remembered. */
final class Replays {

	private static final int FIRST_STATUS = 100;

	private Replays() {
	}

	/** Adds the header of a replay to each response that may be one. */
	static void mark(ApiResponses responses, Described described) {
		Header replayed = described.replayed();
		if (replayed != null) {
			add(responses, described::replays, replayed, Headers.mark());
		}
	}

	/** Adds the lifetime of the key to each response of a completed operation. */
	static void addLifetime(ApiResponses responses, Described described) {
		Header lifetime = described.lifetime();
		if (lifetime != null) {
			Set<Integer> refusals = described.problems()
				.stream()
				.filter((problem) -> problem.refusal() == described.policy().refusalOfDuplicate())
				.map(ErrorDocument::status)
				.collect(Collectors.toSet());
			add(responses, (status) -> described.isRecorded(status) || refusals.contains(status), lifetime,
					Headers.seconds(BigDecimal.ZERO));
		}
	}

	private static void add(ApiResponses responses, IntPredicate statuses, Header header, Schema<?> schema) {
		for (Map.Entry<String, ApiResponse> response : responses.entrySet()) {
			if (statuses.test(status(response.getKey()))) {
				response.setValue(SharedParts.copy(response.getValue()));
				Headers.add(response.getValue(), header, schema);
			}
		}
	}

	/** The first status of a class such as {@code 2XX}; {@code default} is no replay. */
	private static int status(String response) {
		String digits = response.replace('X', '0').replace('x', '0');
		return digits.matches("[0-9]{3}") ? Integer.parseInt(digits) : FIRST_STATUS;
	}

}
