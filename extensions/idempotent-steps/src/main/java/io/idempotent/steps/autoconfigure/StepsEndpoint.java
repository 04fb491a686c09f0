package io.idempotent.steps.autoconfigure;

import java.time.Instant;
import java.util.List;
import java.util.function.Supplier;

import io.idempotent.audit.BoundedText;
import io.idempotent.steps.StepAdministration;
import io.idempotent.steps.StepAdministration.OperationWithSteps;
import io.idempotent.steps.StepAdministration.Resumption;
import io.idempotent.steps.StepAdministration.Step;
import io.idempotent.store.OperationKey;
import io.idempotent.store.StoreUnavailableException;

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
 * Shows operations with steps, and lets an operator settle an interrupted one. It is
 * exposed over HTTP but not over JMX, which does not identify the operator. In Spring
 * Boot 3.5, no other {@code @Nullable} makes a parameter optional.
 */
@SuppressWarnings("deprecation")
@WebEndpoint(id = "idempotentsteps", defaultAccess = Access.READ_ONLY)
class StepsEndpoint {

	private static final int LIMIT = 100;

	private final StepAdministration administration;

	StepsEndpoint(StepAdministration administration) {
		this.administration = administration;
	}

	/** Lists at most {@value #LIMIT} operations that have not ended, oldest first. */
	@ReadOperation
	public WebEndpointResponse<OperationResponseBody> unfinished() {
		return respond(() -> {
			List<OperationWithSteps> found = this.administration.unfinished(LIMIT + 1);
			return new WebEndpointResponse<>(new UnfinishedBody(
					found.stream().limit(LIMIT).map(OperationBody::of).toList(), found.size() <= LIMIT));
		});
	}

	/**
	 * Shows the steps of one operation.
	 * @param id the encoded key
	 */
	@ReadOperation
	public WebEndpointResponse<OperationResponseBody> find(@Selector String id) {
		return respond(() -> show(key(id)));
	}

	/**
	 * Confirms an interrupted step, or lets it run again, or lets an operation be called
	 * again, or ends it. Returns the steps after that.
	 * @param id the encoded key
	 * @param step the name of the step, to confirm or repeat it
	 * @param action {@code confirm}, {@code repeat}, {@code resume} or {@code end}
	 * @param result the result of a confirmed step as JSON, if it has one
	 * @param reason why, for the audit log
	 */
	@WriteOperation
	public WebEndpointResponse<OperationResponseBody> settle(@Selector String id, @Nullable String step,
			@Nullable String action, @Nullable String result, @Nullable String reason, SecurityContext security) {
		return respond(() -> {
			OperationKey key = key(id);
			String by = BoundedText.operator(security.getPrincipal());
			String why = BoundedText.require("reason", reason, BoundedText.MAX_REASON);
			String name = (step != null) ? step : "";
			boolean done = switch ((action != null) ? action : "") {
				case "confirm" -> this.administration.confirm(key, name, result, by, why);
				case "repeat" -> this.administration.repeat(key, name, by, why);
				case "resume" -> this.administration.resume(key, by, why);
				case "end" -> this.administration.end(key, by, why);
				default -> throw new IllegalArgumentException("The action must be 'confirm' (the step took effect), "
						+ "'repeat' (the step runs again), 'resume' (the operation is called again) or 'end' (it is given up)");
			};
			return done ? show(key) : error(409,
					"There is no such step that was interrupted, or no such operation that has not ended: look again");
		});
	}

	private WebEndpointResponse<OperationResponseBody> show(OperationKey key) {
		return this.administration.find(key)
			.<WebEndpointResponse<OperationResponseBody>>map(
					(operation) -> new WebEndpointResponse<>(OperationBody.of(operation)))
			.orElseGet(() -> error(404, "No steps of this operation are kept"));
	}

	private static OperationKey key(String id) {
		try {
			return OperationKey.parse(id);
		}
		catch (IllegalArgumentException ex) {
			throw new IllegalArgumentException("The id must be an encoded key, of 43 characters", ex);
		}
	}

	private static WebEndpointResponse<OperationResponseBody> respond(
			Supplier<WebEndpointResponse<OperationResponseBody>> request) {
		try {
			return request.get();
		}
		catch (IllegalArgumentException ex) {
			return error(400, ex.getMessage());
		}
		catch (StoreUnavailableException ex) {
			return error(503, "The guarded database does not respond: try again when it does");
		}
	}

	private static WebEndpointResponse<OperationResponseBody> error(int status, @Nullable String error) {
		return new WebEndpointResponse<>(new ErrorBody(error), status);
	}

	record UnfinishedBody(List<OperationBody> unfinished, boolean complete) implements OperationResponseBody {
	}

	record OperationBody(String id, String operation, int attempts, String node, Instant startedAt,
			Instant lastAttemptAt, @Nullable Instant endedAt, @Nullable String error, @Nullable Resumption resumption,
			List<Step> steps) implements OperationResponseBody {

		static OperationBody of(OperationWithSteps found) {
			return new OperationBody(found.key().encoded(), found.operation(), found.attempts(), found.node(),
					found.startedAt(), found.lastAttemptAt(), found.endedAt(), found.error(), found.resumption(),
					found.steps());
		}

	}

	record ErrorBody(@Nullable String error) implements OperationResponseBody {
	}

}
