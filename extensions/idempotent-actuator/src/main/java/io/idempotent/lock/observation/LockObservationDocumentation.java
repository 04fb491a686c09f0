package io.idempotent.lock.observation;

import java.util.Locale;

import io.micrometer.common.docs.KeyName;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationConvention;
import io.micrometer.observation.docs.ObservationDocumentation;

/**
 * The observation of locks, as {@code docs/metrics.md} lists it.
 */
public enum LockObservationDocumentation implements ObservationDocumentation {

	/**
	 * The acquisition of a lock by a thread, from the request until the lock is obtained
	 * or given up: the wait in this JVM and at the engine. Re-entry is not observed. A
	 * multi-lock is one acquisition for each of its locks.
	 */
	ACQUISITION {

		@Override
		public Class<? extends ObservationConvention<? extends Observation.Context>> getDefaultConvention() {
			return DefaultLockObservationConvention.class;
		}

		@Override
		public KeyName[] getLowCardinalityKeyNames() {
			return LowCardinalityKeyNames.values();
		}

	};

	/**
	 * The tags of the metrics, and of the span.
	 */
	public enum LowCardinalityKeyNames implements KeyName {

		/** The name of the lock engine. */
		ENGINE,

		/** The group of the lock: its name up to the first colon. */
		GROUP,

		/** The mode of the lock: {@code write} or {@code read}. */
		MODE,

		/** How the acquisition ended: {@code unknown} while it has not ended. */
		OUTCOME;

		@Override
		public String asString() {
			return name().toLowerCase(Locale.ROOT);
		}

	}

}
