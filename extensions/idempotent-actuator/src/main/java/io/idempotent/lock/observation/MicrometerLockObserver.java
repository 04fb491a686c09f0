package io.idempotent.lock.observation;

import io.idempotent.lock.LockEvent;
import io.idempotent.lock.LockMode;
import io.idempotent.lock.engine.AcquisitionOutcome;
import io.idempotent.lock.engine.LockObserver;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * Observes the acquisitions of locks by an {@link ObservationRegistry}. A registry
 * without handlers costs nothing. Exceptions of handlers and conventions are logged and
 * do not affect the lock.
 */
public final class MicrometerLockObserver implements LockObserver {

	private static final Log logger = LogFactory.getLog(MicrometerLockObserver.class);

	private static final DefaultLockObservationConvention DEFAULT_CONVENTION = new DefaultLockObservationConvention();

	private final ObservationRegistry registry;

	public MicrometerLockObserver(ObservationRegistry registry) {
		this.registry = registry;
	}

	@Override
	public Acquisition start(String name, LockMode mode, String engine) {
		if (this.registry.isNoop()) {
			return Acquisition.UNOBSERVED;
		}
		Observation.Scope outer = this.registry.getCurrentObservationScope();
		try {
			LockObservationContext context = new LockObservationContext(name, LockEvent.group(name), mode, engine);
			Observation observation = LockObservationDocumentation.ACQUISITION
				.observation(null, DEFAULT_CONVENTION, () -> context, this.registry)
				.start();
			return new ObservedAcquisition(context, observation, observation.openScope(), outer, this.registry);
		}
		catch (Throwable ex) {
			log(ex);
			this.registry.setCurrentObservationScope(outer);
			return Acquisition.UNOBSERVED;
		}
	}

	private static void log(Throwable ex) {
		logger.warn("An ObservationHandler, ObservationFilter or convention failed: "
				+ "the acquisition of the lock goes on, but its observation is incomplete", ex);
	}

	private record ObservedAcquisition(LockObservationContext context, Observation observation, Observation.Scope scope,
			Observation.@Nullable Scope outer, ObservationRegistry registry) implements Acquisition {

		@Override
		public void end(AcquisitionOutcome outcome, String engine, @Nullable Throwable failure) {
			try {
				this.scope.close();
				this.context.ended(outcome, engine);
				if (failure != null) {
					this.observation.error(failure);
				}
				this.observation.stop();
			}
			catch (Throwable ex) {
				log(ex);
				this.registry.setCurrentObservationScope(this.outer);
			}
		}

	}

}
