package io.idempotent.administration.autoconfigure;

import java.util.function.Supplier;

import io.idempotent.administration.IdempotencyAdministration;
import io.idempotent.administration.Intervention;
import io.idempotent.administration.InterventionResult;
import io.idempotent.administration.InterventionResult.Done;
import io.idempotent.administration.InterventionResult.Refused;
import io.idempotent.administration.InterventionResult.RefusedBecause;
import io.idempotent.administration.OperationRecord;
import io.idempotent.administration.autoconfigure.OperationCatalog.SentKey;
import io.idempotent.administration.autoconfigure.OperationDirectory.Found;
import io.idempotent.administration.autoconfigure.Responses.ErrorBody;
import io.idempotent.administration.autoconfigure.Responses.InterventionBody;
import io.idempotent.administration.autoconfigure.Responses.Summary;
import io.idempotent.administration.autoconfigure.Responses.UnknownBody;
import io.idempotent.audit.BoundedText;
import io.idempotent.store.Settlement;
import io.idempotent.store.StoreUnavailableException;
import io.idempotent.store.UnreadableRecordException;

import org.springframework.boot.actuate.endpoint.Access;
import org.springframework.boot.actuate.endpoint.OperationResponseBody;
import org.springframework.boot.actuate.endpoint.SecurityContext;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.annotation.WriteOperation;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;
import org.springframework.boot.actuate.endpoint.web.annotation.WebEndpoint;
import org.springframework.lang.Nullable;

/**
 * Shows idempotent operations and their records, and lets an operator release or confirm
 * an operation whose outcome is unknown. It is exposed over HTTP but not over JMX, which
 * does not identify the operator. In Spring Boot 3.5, no other {@code @Nullable} makes a
 * parameter optional.
 */
@SuppressWarnings("deprecation")
@WebEndpoint(id = "idempotent", defaultAccess = Access.READ_ONLY)
class IdempotentEndpoint {

	private static final int DEFAULT_LIMIT = 50;

	private static final int MAX_LIMIT = 500;

	private final IdempotencyAdministration administration;

	private final OperationDirectory directory;

	private final RecordBodies records;

	private final String namespace;

	private final String node;

	private final String store;

	IdempotentEndpoint(IdempotencyAdministration administration, OperationDirectory directory, RecordBodies records,
			String namespace, String node, String store) {
		this.administration = administration;
		this.directory = directory;
		this.records = records;
		this.namespace = namespace;
		this.node = node;
		this.store = store;
	}

	/** Describes this node and its operations. */
	@ReadOperation
	public OperationResponseBody summary() {
		return new Summary(this.namespace, this.node, this.store, this.directory.describe(),
				this.administration.running(),
				this.administration.interventions().stream().map(InterventionBody::of).toList());
	}

	/**
	 * Lists unknown outcomes, or looks up a record.
	 * @param view {@code unknown} or {@code record}
	 * @param limit how many unknown outcomes are listed at most
	 * @param id the encoded key of a record, or at least its first 12 characters
	 * @param entrance {@code http} or {@code method}, if it is not known from the name
	 * @param key the key as the client sent it
	 */
	@ReadOperation
	public WebEndpointResponse<OperationResponseBody> view(@Selector String view, @Nullable String limit,
			@Nullable String id, @Nullable String operation, @Nullable String entrance, @Nullable String caller,
			@Nullable String tenant, @Nullable String session, @Nullable String key, @Nullable String method,
			@Nullable String path, SecurityContext security) {
		return respond(() -> switch (view) {
			case "unknown" -> ok(UnknownBody.of(this.administration.unknown(limit(limit))));
			case "record" -> {
				Found found = this.directory.find(id, operation, entrance,
						SentKey.of(key, caller, tenant, session, method, path));
				yield ok(this.records.of(found.record(), found.operation(), null, security));
			}
			default ->
				throw new BadRequestException(404, ErrorBody.of("There is no such view: write 'unknown' or 'record'"));
		});
	}

	/**
	 * Releases or confirms an operation, which is found as by a lookup. Returns its
	 * record and the intervention.
	 * @param action {@code release} or {@code confirm}
	 * @param reason why, for the audit log
	 * @param force {@code true} to do so even while the lease of the owner lasts
	 * @param attempt the attempt that the operator judged; a later one is not changed
	 */
	@WriteOperation
	public WebEndpointResponse<OperationResponseBody> intervene(@Nullable String action, @Nullable String reason,
			@Nullable String force, @Nullable String attempt, @Nullable String id, @Nullable String operation,
			@Nullable String entrance, @Nullable String caller, @Nullable String tenant, @Nullable String session,
			@Nullable String key, @Nullable String method, @Nullable String path, SecurityContext security) {
		return respond(() -> {
			Settlement.Kind kind = kind(action);
			boolean forced = force(force);
			Integer judged = attempt(attempt);
			String by = BoundedText.operator(security.getPrincipal());
			String why = reason(reason);
			Found found = this.directory.find(id, operation, entrance,
					SentKey.of(key, caller, tenant, session, method, path));
			OperationRecord record = found.record();
			InterventionResult result = (judged != null && judged != record.attempt())
					? new Refused(RefusedBecause.CHANGED, record)
					: (kind == Settlement.Kind.RELEASE) ? this.administration.release(record.key(), by, why, forced)
							: this.administration.confirm(record.key(), by, why, forced);
			if (result instanceof Refused refused) {
				return new WebEndpointResponse<>(ErrorBody.refused(refused,
						this.records.of(refused.record(), found.operation(), null, security)), 409);
			}
			return ok(this.records.of(result.record(), found.operation(), ((Done) result).intervention(), security));
		});
	}

	private static Settlement.Kind kind(@Nullable String action) {
		return switch ((action != null) ? action : "") {
			case "release" -> Settlement.Kind.RELEASE;
			case "confirm" -> Settlement.Kind.CONFIRM;
			default -> throw new BadRequestException(
					"The action must be 'release' (the operation may run again) or 'confirm' (it took effect)");
		};
	}

	private static boolean force(@Nullable String force) {
		return switch ((force != null) ? force : "false") {
			case "true" -> true;
			case "false" -> false;
			default -> throw new BadRequestException("The parameter 'force' must be true or false");
		};
	}

	private static @Nullable Integer attempt(@Nullable String attempt) {
		try {
			return (attempt != null) ? Integer.valueOf(attempt) : null;
		}
		catch (NumberFormatException ex) {
			throw new BadRequestException("The parameter 'attempt' must be a number");
		}
	}

	private static String reason(@Nullable String reason) {
		try {
			return BoundedText.require("reason", reason, BoundedText.MAX_REASON);
		}
		catch (IllegalArgumentException ex) {
			throw new BadRequestException(String.valueOf(ex.getMessage()));
		}
	}

	private static int limit(@Nullable String text) {
		try {
			int limit = (text != null) ? Integer.parseInt(text) : DEFAULT_LIMIT;
			if (limit >= 1 && limit <= MAX_LIMIT) {
				return limit;
			}
		}
		catch (NumberFormatException ex) {
			// Refused below, as a number out of range is.
		}
		throw new BadRequestException("The limit must be a number from 1 to " + MAX_LIMIT);
	}

	private static WebEndpointResponse<OperationResponseBody> ok(OperationResponseBody body) {
		return new WebEndpointResponse<>(body);
	}

	private static WebEndpointResponse<OperationResponseBody> respond(
			Supplier<WebEndpointResponse<OperationResponseBody>> request) {
		try {
			return request.get();
		}
		catch (BadRequestException ex) {
			return new WebEndpointResponse<>(ex.body(), ex.status());
		}
		catch (StoreUnavailableException ex) {
			return error(503, "The store or the guarded database does not respond: try again when it does");
		}
		catch (UnreadableRecordException ex) {
			return error(500, "The record cannot be read: it is corrupt, or was written by a newer version of this "
					+ "library. Its duplicates are refused as record-unreadable until it expires");
		}
		catch (UnsupportedOperationException ex) {
			return error(501, "The store of this application shows no records to operators: with "
					+ "idempotent.store.type=receipt look into the table of receipts, and let an IdempotencyStore bean of "
					+ "your own implement RecordAdministration");
		}
	}

	private static WebEndpointResponse<OperationResponseBody> error(int status, String error) {
		return new WebEndpointResponse<>(ErrorBody.of(error), status);
	}

}
