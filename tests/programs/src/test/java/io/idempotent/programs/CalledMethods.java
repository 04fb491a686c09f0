package io.idempotent.programs;

import io.idempotent.Idempotent;
import io.idempotent.WhenInProgress;
import io.idempotent.WhenUnknown;

import org.springframework.messaging.handler.annotation.MessageMapping;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;

/**
 * Idempotent methods of each propagation.
 */
class CalledMethods {

	@Idempotent(key = "#key", name = "programs.PLAIN")
	String plain(String key, Body body) {
		return body.run();
	}

	@Idempotent(key = "#key", name = "programs.REQUIRED")
	@Transactional
	String required(String key, Body body) {
		return body.run();
	}

	@Idempotent(key = "#key", name = "programs.REQUIRES_NEW")
	@Transactional(propagation = Propagation.REQUIRES_NEW)
	String requiresNew(String key, Body body) {
		return body.run();
	}

	@Idempotent(key = "#key", name = "programs.NESTED")
	@Transactional(propagation = Propagation.NESTED)
	String nested(String key, Body body) {
		return body.run();
	}

	@Idempotent(key = "#key", name = "programs.SUPPORTS")
	@Transactional(propagation = Propagation.SUPPORTS)
	String supports(String key, Body body) {
		return body.run();
	}

	@Idempotent(key = "#key", name = "programs.NOT_SUPPORTED")
	@Transactional(propagation = Propagation.NOT_SUPPORTED)
	String notSupported(String key, Body body) {
		return body.run();
	}

	@Idempotent(key = "#key", name = "programs.MANDATORY")
	@Transactional(propagation = Propagation.MANDATORY)
	String mandatory(String key, Body body) {
		return body.run();
	}

	@Idempotent(key = "#key", name = "programs.NEVER")
	@Transactional(propagation = Propagation.NEVER)
	String never(String key, Body body) {
		return body.run();
	}

	@Idempotent(key = "#key", name = "programs.READ_ONLY")
	@Transactional(readOnly = true)
	String readOnly(String key, Body body) {
		return body.run();
	}

	@Idempotent(key = "#key", name = "programs.OTHER")
	@Transactional("other")
	String other(String key, Body body) {
		return body.run();
	}

	@Idempotent(key = "#key", name = "programs.REJECTING", whenUnknown = WhenUnknown.REJECT)
	String rejecting(String key, Body body) {
		return body.run();
	}

	@MessageMapping
	@Idempotent(key = "#key", name = "programs.LISTENER", whenInProgress = WhenInProgress.REJECT)
	void listener(String key, Body body) {
		body.run();
	}

	@MessageMapping
	@Transactional
	@Idempotent(key = "#key", name = "programs.LISTENER_REQUIRED", whenInProgress = WhenInProgress.REJECT)
	void listenerRequired(String key, Body body) {
		body.run();
	}

}
