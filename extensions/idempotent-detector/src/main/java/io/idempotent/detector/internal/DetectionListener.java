package io.idempotent.detector.internal;

/** Is told of each watched request, on any thread. */
@FunctionalInterface
public interface DetectionListener {

	void onRequest(WatchedEndpoint endpoint, Verdict verdict);

	/** What a watched request was. */
	enum Verdict {

		/** The first one of its caller with its content within the window. */
		FIRST,

		/** A later one, which ran again. */
		REPEATED,

		/** It is not known: the content was not seen, or the store was not asked. */
		UNJUDGED

	}

}
