package io.idempotent.crash;

import io.idempotent.ApiIdempotent;
import io.idempotent.KeySource;
import io.idempotent.WhenCompleted;
import io.idempotent.WhenUnknown;

import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/**
 * One operation for each {@link Treatment}; the answer is the number of the effect.
 */
@RestController
@RequestMapping("/effects")
class EffectController {

	private final EffectService effects;

	private final Breakpoints breakpoints;

	EffectController(EffectService effects, Breakpoints breakpoints) {
		this.effects = effects;
		this.breakpoints = breakpoints;
	}

	@PostMapping("/rerun")
	@ApiIdempotent(value = KeySource.HEADER, whenUnknown = WhenUnknown.RERUN)
	String rerun(@RequestHeader("Idempotency-Key") String key) {
		return effect(key);
	}

	@PostMapping("/recover")
	@ApiIdempotent(value = KeySource.HEADER, whenUnknown = WhenUnknown.RERUN, recoverer = "effectRecoverer")
	String recover(@RequestHeader("Idempotency-Key") String key) {
		return effect(key);
	}

	@PostMapping("/reject")
	@ApiIdempotent(value = KeySource.HEADER, whenUnknown = WhenUnknown.REJECT)
	String reject(@RequestHeader("Idempotency-Key") String key) {
		return effect(key);
	}

	@PostMapping("/ask")
	@ApiIdempotent(value = KeySource.HEADER, whenUnknown = WhenUnknown.ASK)
	String ask(@RequestHeader("Idempotency-Key") String key) {
		return effect(key);
	}

	@PostMapping("/burn")
	@ApiIdempotent(value = KeySource.HEADER, whenCompleted = WhenCompleted.BURN)
	String burn(@RequestHeader("Idempotency-Key") String key) {
		return effect(key);
	}

	private String effect(String key) {
		long number = this.effects.add(key);
		this.breakpoints.pass(CrashPoint.AFTER_COMMIT);
		return Long.toString(number);
	}

}
