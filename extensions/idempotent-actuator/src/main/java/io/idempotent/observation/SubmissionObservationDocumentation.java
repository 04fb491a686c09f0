package io.idempotent.observation;

import java.util.Locale;

import io.micrometer.common.docs.KeyName;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationConvention;
import io.micrometer.observation.docs.ObservationDocumentation;

/**
 * The observation of submissions, as {@code docs/metrics.md} lists it.
 */
public enum SubmissionObservationDocumentation implements ObservationDocumentation {

	/**
	 * A submission of an idempotent operation, from the claim of its key until its run
	 * has ended and its outcome is recorded: until the response of an HTTP request is
	 * complete, asynchronous handlers included, or the transaction of a call has ended. A
	 * submission that is refused before it has a key takes no time.
	 */
	SUBMISSION {

		@Override
		public Class<? extends ObservationConvention<? extends Observation.Context>> getDefaultConvention() {
			return DefaultSubmissionObservationConvention.class;
		}

		@Override
		public KeyName[] getLowCardinalityKeyNames() {
			return LowCardinalityKeyNames.values();
		}

		@Override
		public KeyName[] getHighCardinalityKeyNames() {
			return HighCardinalityKeyNames.values();
		}

	};

	/**
	 * The tags of the metrics, and of the span.
	 */
	public enum LowCardinalityKeyNames implements KeyName {

		/**
		 * How the operation was submitted: {@code http} for a handler method,
		 * {@code method} for the method of a bean and the {@code IdempotencyTemplate}.
		 */
		ENTRANCE,

		/** The name of the operation. */
		OPERATION,

		/** How the submission ended: {@code unknown} while it has not ended. */
		OUTCOME;

		@Override
		public String asString() {
			return name().toLowerCase(Locale.ROOT);
		}

	}

	/**
	 * Added to the span only.
	 */
	public enum HighCardinalityKeyNames implements KeyName {

		/**
		 * The number of the attempt that ran, or whose response was replayed. Absent if
		 * there is none.
		 */
		ATTEMPT,

		/**
		 * The short hash of the operation key, as in the log. Absent if the submission
		 * has no key.
		 */
		KEY;

		@Override
		public String asString() {
			return "idempotent." + name().toLowerCase(Locale.ROOT);
		}

		@Override
		public boolean isRequired() {
			return false;
		}

	}

}
