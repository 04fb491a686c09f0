package io.idempotent.lock.administration.autoconfigure;

import java.util.function.Supplier;

import io.idempotent.audit.BoundedText;
import io.idempotent.lock.LockUnavailableException;
import io.idempotent.lock.administration.LockAdministration;
import io.idempotent.lock.administration.LockIntervention;
import io.idempotent.lock.administration.SwitchControl.NotSwitchedException;
import io.idempotent.lock.administration.autoconfigure.LockResponses.Failure;
import io.idempotent.lock.administration.autoconfigure.LockResponses.InterventionBody;
import io.idempotent.lock.administration.autoconfigure.LockResponses.LockBody;
import io.idempotent.lock.administration.autoconfigure.LockResponses.NodeBody;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

import org.springframework.boot.actuate.endpoint.Access;
import org.springframework.boot.actuate.endpoint.OperationResponseBody;
import org.springframework.boot.actuate.endpoint.SecurityContext;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.WriteOperation;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;
import org.springframework.boot.actuate.endpoint.web.annotation.WebEndpoint;
import org.springframework.lang.Nullable;
import org.springframework.util.StringUtils;

/**
 * Shows the locks that this node holds and waits for, and what an engine knows of any
 * lock. It lets an operator take a lock away from its holder, and lets all nodes switch
 * to another engine. It is exposed over HTTP but not over JMX, which does not identify
 * the operator. In Spring Boot 3.5, no other {@code @Nullable} makes a parameter
 * optional.
 */
@SuppressWarnings("deprecation")
@WebEndpoint(id = "locks", defaultAccess = Access.READ_ONLY)
class LocksEndpoint {

	private static final Log logger = LogFactory.getLog(LocksEndpoint.class);

	private final LockAdministration administration;

	private final String node;

	LocksEndpoint(LockAdministration administration, String node) {
		this.administration = administration;
		this.node = node;
	}

	/**
	 * Shows the locks of this node, or what an engine knows of one lock.
	 * @param name the name of the lock, without the namespace of the application
	 * @param engine its engine; by default the one on which the lock is taken now
	 */
	@ReadOperation
	public WebEndpointResponse<OperationResponseBody> locks(@Nullable String name, @Nullable String engine) {
		return respond(() -> {
			if (name != null) {
				return lock(name, engine);
			}
			if (engine != null) {
				throw new IllegalArgumentException("The engine is that of a lock: give its 'name' too");
			}
			return NodeBody.of(this.node, this.administration, null);
		});
	}

	private LockBody lock(String name, @Nullable String engine) {
		String asked = (engine != null) ? engine : this.administration.engineOf(name);
		return LockBody.of(name, asked, this.administration.inspect(name, asked), null);
	}

	/**
	 * Takes a lock away from its holders, or switches between engines. Returns what was
	 * done and the state after it.
	 * @param action {@code release}, {@code switch} or {@code cancel-switch}
	 * @param engine the engine of the lock, as above, or the one to switch to
	 * @param reason why, for the audit log
	 */
	@WriteOperation
	public WebEndpointResponse<OperationResponseBody> intervene(@Nullable String action, @Nullable String name,
			@Nullable String engine, @Nullable String reason, SecurityContext security) {
		return respond(() -> {
			String by = BoundedText.operator(security.getPrincipal());
			String why = (reason != null) ? reason : "";
			return switch ((action != null) ? action : "") {
				case "release" -> release(require("name", name), engine, by, why);
				case "switch" -> switched(this.administration.switchEngine(require("engine", engine), by, why));
				case "cancel-switch" -> switched(this.administration.cancelSwitch(by, why));
				default -> throw new IllegalArgumentException("The action must be 'release' (take a lock away from its "
						+ "holder), 'switch' (to another engine) or 'cancel-switch'");
			};
		});
	}

	/** If the state cannot be read afterwards, the release may still have succeeded. */
	private LockBody release(String name, @Nullable String engine, String by, String reason) {
		LockIntervention done = this.administration.forceRelease(name, engine, by, reason);
		try {
			return LockBody.of(name, done.engine(), this.administration.inspect(name, done.engine()),
					InterventionBody.of(done));
		}
		catch (LockUnavailableException ex) {
			return new LockBody(name, done.engine(), null, null, null, null, InterventionBody.of(done));
		}
	}

	private NodeBody switched(LockIntervention done) {
		return NodeBody.of(this.node, this.administration, done);
	}

	private static String require(String parameter, @Nullable String value) {
		if (!StringUtils.hasText(value)) {
			throw new IllegalArgumentException("The parameter '" + parameter + "' is missing");
		}
		return value;
	}

	private WebEndpointResponse<OperationResponseBody> respond(Supplier<OperationResponseBody> request) {
		try {
			return new WebEndpointResponse<>(request.get());
		}
		catch (IllegalArgumentException ex) {
			return failure(400, ex.getMessage());
		}
		catch (NotSwitchedException ex) {
			return failure(409, ex.getMessage());
		}
		catch (UnsupportedOperationException ex) {
			return failure(501, ex.getMessage());
		}
		catch (LockUnavailableException ex) {
			logger.warn("The endpoint 'locks' could not ask the lock engine", ex);
			return failure(503,
					"The lock engine, or the authority for the engine in force, does not respond: try again when it does");
		}
	}

	private WebEndpointResponse<OperationResponseBody> failure(int status, @Nullable String error) {
		return new WebEndpointResponse<>(
				new Failure(String.valueOf(error), (status == 400) ? this.administration.engines() : null), status);
	}

}
