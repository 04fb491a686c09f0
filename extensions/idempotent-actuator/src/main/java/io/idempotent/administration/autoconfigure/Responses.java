package io.idempotent.administration.autoconfigure;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;

import io.idempotent.administration.IdempotencyAdministration.OperationLookup;
import io.idempotent.administration.Intervention;
import io.idempotent.administration.InterventionResult.Refused;
import io.idempotent.administration.OperationRecord;
import io.idempotent.administration.autoconfigure.OperationCatalog.Description;
import io.idempotent.administration.autoconfigure.PolicySettings.Setting;
import io.idempotent.store.Origin;
import io.idempotent.store.RecordState;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.actuate.endpoint.OperationResponseBody;

/** The JSON of the endpoint. Absent members are left out. */
final class Responses {

	private Responses() {
	}

	record Summary(String namespace, String node, String store, List<OperationBody> operations, int running,
			List<InterventionBody> interventions) implements OperationResponseBody {
	}

	/** An operation, and where its key comes from. */
	record OperationBody(String name, String entrance, String key, @Nullable String expression,
			@Nullable List<String> requests, List<Setting> settings) {

		static OperationBody of(Description operation, String entrance, List<Setting> settings) {
			return new OperationBody(operation.name(), entrance, operation.key(), operation.expression(),
					operation.mappings().isEmpty() ? null : operation.mappings(), settings);
		}

	}

	record InterventionBody(Instant time, String action, @Nullable String operation, String hash, String by,
			String reason, boolean forced) {

		static InterventionBody of(Intervention intervention) {
			return new InterventionBody(intervention.time(), intervention.action().name().toLowerCase(Locale.ROOT),
					intervention.operation(), intervention.key().toString(), intervention.by(), intervention.reason(),
					intervention.forced());
		}

	}

	record UnknownBody(List<UnknownItem> unknown, boolean complete) implements OperationResponseBody {

		static UnknownBody of(OperationLookup unknown) {
			return new UnknownBody(unknown.records().stream().map(UnknownItem::of).toList(), unknown.complete());
		}

	}

	record UnknownItem(String id, String hash, @Nullable String operation, @Nullable Instant since, int attempt,
			@Nullable String node, String advice) {

		static UnknownItem of(OperationRecord unknown) {
			Origin origin = unknown.origin();
			return new UnknownItem(unknown.id(), unknown.hash(), unknown.operation(),
					(origin != null) ? origin.claimedAt() : null, unknown.attempt(),
					(origin != null) ? origin.node() : null, unknown.advice().text());
		}

	}

	record RecordBody(String id, String hash, String storeKey, @Nullable String operation, RecordState state,
			@Nullable Integer attempt, @Nullable Duration age, @Nullable OwnerBody owner, @Nullable Duration leaseLeft,
			@Nullable Duration retentionLeft, @Nullable ReceiptBody receipt, @Nullable ResponseBody response,
			@Nullable String trace, String advice,
			@Nullable InterventionBody intervention) implements OperationResponseBody {
	}

	record OwnerBody(String id, @Nullable String node, boolean thisNode) {
	}

	/** The outcome is "stored", or "committed" without an answer. */
	record ReceiptBody(int attempt, String outcome) {
	}

	/** A stored answer. Its body, if it is shown, is a text or in Base64. */
	record ResponseBody(@Nullable Integer status, int bytes, @Nullable String contentType, @Nullable String body,
			@Nullable String base64) {
	}

	/** Why a request failed. The record is that of a refused intervention. */
	record ErrorBody(String error, @Nullable List<String> operations, @Nullable List<String> ids,
			@Nullable String refused, @Nullable RecordBody record) implements OperationResponseBody {

		static ErrorBody of(String error) {
			return new ErrorBody(error, null, null, null, null);
		}

		static ErrorBody refused(Refused refused, RecordBody record) {
			return new ErrorBody(refused.reason().text(), null, null, refused.reason().name(), record);
		}

	}

}
