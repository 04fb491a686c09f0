package io.idempotent.administration.autoconfigure;

import io.idempotent.administration.IdempotencyAdministration;
import io.idempotent.administration.InterventionResult;
import io.idempotent.administration.OperationRecord;
import io.idempotent.audit.BoundedText;
import io.idempotent.store.OperationKey;
import io.idempotent.store.Settlement;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.actuate.endpoint.SecurityContext;

/** A checked request of an operator. Null as {@code attempt} means any attempt. */
record InterventionRequest(Settlement.Kind action, String by, String reason, boolean force, @Nullable Integer attempt) {

	/** Fails with the parameter that is missing or malformed. */
	static InterventionRequest of(@Nullable String action, @Nullable String reason, @Nullable String force,
			@Nullable String attempt, SecurityContext security) {
		Settlement.Kind kind = switch ((action != null) ? action : "") {
			case "release" -> Settlement.Kind.RELEASE;
			case "confirm" -> Settlement.Kind.CONFIRM;
			default -> throw new BadRequestException(
					"The action must be 'release' (the operation may run again) or 'confirm' (it took effect)");
		};
		boolean forced = switch ((force != null) ? force : "false") {
			case "true" -> true;
			case "false" -> false;
			default -> throw new BadRequestException("The parameter 'force' must be true or false");
		};
		String by = BoundedText.operator(security.getPrincipal());
		return new InterventionRequest(kind, by, reason(reason), forced, attempt(attempt));
	}

	private static @Nullable Integer attempt(@Nullable String attempt) {
		try {
			return (attempt != null) ? Integer.valueOf(attempt) : null;
		}
		catch (NumberFormatException ex) {
			throw new BadRequestException("The parameter 'attempt' must be a number");
		}
	}

	/** Whether the operator has decided on this attempt, not on an earlier one. */
	boolean isOn(OperationRecord record) {
		return this.attempt == null || this.attempt == record.attempt();
	}

	private static String reason(@Nullable String reason) {
		try {
			return BoundedText.require("reason", reason, BoundedText.MAX_REASON);
		}
		catch (IllegalArgumentException ex) {
			throw new BadRequestException(String.valueOf(ex.getMessage()));
		}
	}

	InterventionResult applyTo(IdempotencyAdministration administration, OperationKey key) {
		return switch (this.action) {
			case RELEASE -> administration.release(key, this.by, this.reason, this.force);
			case CONFIRM -> administration.confirm(key, this.by, this.reason, this.force);
		};
	}

}
