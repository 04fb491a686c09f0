package io.idempotent.boot.endpoint;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;

import io.idempotent.administration.Intervention;
import io.idempotent.administration.InterventionResult.Refused;
import io.idempotent.administration.OperationCatalog.Description;
import io.idempotent.administration.UnknownOperation;
import io.idempotent.administration.UnknownOperations;
import io.idempotent.boot.internal.policy.PolicySettings.Setting;
import io.idempotent.store.RecordState;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.actuate.endpoint.OperationResponseBody;

/**
 * The JSON of the endpoint. Absent members are left out.
 */
final class Responses {

	private Responses() {
	}

	/**
	 * This node and its operations.
	 */
	record Summary(String namespace, String node, String store, List<OperationBody> operations, int running,
			List<InterventionBody> interventions) implements OperationResponseBody {
	}

	/**
	 * An operation.
	 *
	 * @param name its name
	 * @param entrance {@code http} or {@code method}
	 * @param key where its key comes from
	 * @param expression the key expression
	 * @param requests the requests that are mapped to it
	 * @param settings its settings
	 */
	record OperationBody(String name, String entrance, String key, @Nullable String expression,
			@Nullable List<String> requests, List<Setting> settings) {

		static OperationBody of(Description operation, String entrance, List<Setting> settings) {
			return new OperationBody(operation.name(), entrance, operation.key(), operation.expression(),
					operation.mappings().isEmpty() ? null : operation.mappings(), settings);
		}

	}

	/**
	 * What an operator has done.
	 */
	record InterventionBody(Instant time, String action, @Nullable String operation, String hash, String by,
			String reason, boolean forced) {

		static InterventionBody of(Intervention intervention) {
			return new InterventionBody(intervention.time(), intervention.action().name().toLowerCase(Locale.ROOT),
					intervention.operation(), intervention.key().toString(), intervention.by(), intervention.reason(),
					intervention.forced());
		}

	}

	/**
	 * Unknown outcomes.
	 */
	record UnknownBody(List<UnknownItem> unknown, boolean complete) implements OperationResponseBody {

		static UnknownBody of(UnknownOperations unknown) {
			return new UnknownBody(unknown.operations().stream().map(UnknownItem::of).toList(), unknown.complete());
		}

	}

	/**
	 * An unknown outcome.
	 */
	record UnknownItem(String id, String hash, @Nullable String operation, @Nullable Instant since, int attempt,
			@Nullable String node, String advice) {

		static UnknownItem of(UnknownOperation unknown) {
			return new UnknownItem(unknown.key().encoded(), unknown.key().toString(), unknown.operation(),
					unknown.claimedAt(), unknown.attempt(), unknown.node(), unknown.advice().text());
		}

	}

	/**
	 * A record.
	 */
	record RecordBody(String id, String hash, String storeKey, @Nullable String operation, RecordState state,
			@Nullable Integer attempt, @Nullable Duration age, @Nullable OwnerBody owner, @Nullable Duration leaseLeft,
			@Nullable Duration retentionLeft, @Nullable ReceiptBody receipt, @Nullable ResponseBody response,
			@Nullable String trace, String advice,
			@Nullable InterventionBody intervention) implements OperationResponseBody {
	}

	/**
	 * The owner of a claim.
	 */
	record OwnerBody(String id, @Nullable String node, boolean thisNode) {
	}

	/**
	 * A receipt.
	 *
	 * @param attempt the attempt that was committed
	 * @param outcome {@code stored}, or {@code committed} if its answer was not stored
	 */
	record ReceiptBody(int attempt, String outcome) {
	}

	/**
	 * A stored answer.
	 *
	 * @param status the HTTP status
	 * @param bytes the length of the body
	 * @param contentType the media type of the body, if the body is shown
	 * @param body the body as text, if it is shown and is text
	 * @param base64 the body, if it is shown and is not text
	 */
	record ResponseBody(@Nullable Integer status, int bytes, @Nullable String contentType, @Nullable String body,
			@Nullable String base64) {
	}

	/**
	 * Why a request failed.
	 *
	 * @param error the reason, and what to do
	 * @param operations the names of the operations that are known
	 * @param moreOperations how many more operations are known
	 * @param ids the records that match
	 * @param refused why an intervention was refused, as a constant
	 * @param record the record of a refused intervention
	 */
	record ErrorBody(String error, @Nullable List<String> operations, @Nullable Integer moreOperations,
			@Nullable List<String> ids, @Nullable String refused,
			@Nullable RecordBody record) implements OperationResponseBody {

		static ErrorBody refused(Refused refused, RecordBody record) {
			return new ErrorBody(refused.reason().text(), null, null, null, refused.reason().name(), record);
		}

	}

}
