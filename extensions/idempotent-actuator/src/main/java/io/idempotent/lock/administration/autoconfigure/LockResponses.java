package io.idempotent.lock.administration.autoconfigure;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;

import com.fasterxml.jackson.annotation.JsonAnyGetter;
import io.idempotent.lock.administration.HeldLockInfo;
import io.idempotent.lock.administration.LockAdministration;
import io.idempotent.lock.administration.LockIntervention;
import io.idempotent.lock.administration.WaitingThread;
import io.idempotent.lock.engine.LockHolder;
import io.idempotent.lock.engine.LockState;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.actuate.endpoint.OperationResponseBody;

/** What the endpoint returns. Values that are {@code null} are left out. */
final class LockResponses {

	private LockResponses() {
	}

	static String text(Enum<?> value) {
		return value.name().toLowerCase(Locale.ROOT).replace('_', '-');
	}

	/** The locks of this node, its latest interventions, and the one of this request. */
	record NodeBody(String node, String engine, List<String> engines, @JsonAnyGetter Map<String, Object> switching,
			List<HeldLockInfo> held, List<WaitingThread> waiting, List<InterventionBody> interventions,
			@Nullable InterventionBody intervention) implements OperationResponseBody {

		static NodeBody of(String node, LockAdministration locks, @Nullable LockIntervention done) {
			return new NodeBody(node, locks.engineInForce(), locks.engines(), locks.switchStatus(), locks.held(),
					locks.waiting(), locks.interventions().stream().map(InterventionBody::of).toList(),
					(done != null) ? InterventionBody.of(done) : null);
		}

	}

	record InterventionBody(Instant time, String action, @Nullable String name, String engine, String by, String reason,
			String result) {

		static InterventionBody of(LockIntervention done) {
			return new InterventionBody(done.time(), text(done.action()), done.name(), done.engine(), done.by(),
					done.reason(), text(done.result()));
		}

	}

	/** What an engine knows of a lock. Without {@code held}, it could not be asked. */
	record LockBody(String name, String engine, @Nullable Boolean held, @Nullable List<HolderBody> holders,
			@Nullable Integer waiters, @Nullable Long lastToken,
			@Nullable InterventionBody intervention) implements OperationResponseBody {

		static LockBody of(String name, String engine, LockState state, @Nullable InterventionBody done) {
			return new LockBody(name, engine, state.isHeld(), state.holders().stream().map(HolderBody::of).toList(),
					state.waiters(), state.lastToken(), done);
		}

	}

	record HolderBody(@Nullable String owner, @Nullable String node, @Nullable Boolean thisNode, String mode,
			@Nullable Long token, @Nullable Duration leaseLeft) {

		static HolderBody of(LockHolder holder) {
			return new HolderBody(holder.owner(), holder.node(), holder.thisNode(), text(holder.mode()), holder.token(),
					holder.leaseLeft());
		}

	}

	/** Why a request failed and what to do, with the engines to choose from, if any. */
	record Failure(String error, @Nullable List<String> engines) implements OperationResponseBody {
	}

}
