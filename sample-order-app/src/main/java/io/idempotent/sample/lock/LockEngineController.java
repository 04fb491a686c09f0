package io.idempotent.sample.lock;

import java.net.InetAddress;
import java.net.UnknownHostException;

import io.idempotent.lock.DistributedLocks;
import io.idempotent.lock.EngineStatus;
import io.idempotent.lock.EngineSwitchException;
import jakarta.servlet.http.HttpServletRequest;

import org.springframework.http.HttpStatus;
import org.springframework.http.ProblemDetail;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.ModelAttribute;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ResponseStatusException;

/**
 * The lock engine of all nodes. For requests from this machine only, since the shop has
 * no login.
 */
@RestController
@RequestMapping("/locks/engine")
class LockEngineController {

	private final DistributedLocks locks;

	LockEngineController(DistributedLocks locks) {
		this.locks = locks;
	}

	@ModelAttribute
	void requireThisMachine(HttpServletRequest request) throws UnknownHostException {
		if (!InetAddress.getByName(request.getRemoteAddr()).isLoopbackAddress()) {
			throw new ResponseStatusException(HttpStatus.FORBIDDEN, "For requests from this machine only");
		}
	}

	@GetMapping
	EngineStatus status() {
		return this.locks.engineStatus();
	}

	@PostMapping
	EngineStatus switchToNext() {
		this.locks.switchEngine();
		return this.locks.engineStatus();
	}

	@PostMapping("/{engine}")
	EngineStatus switchTo(@PathVariable String engine) {
		if (!this.locks.engines().contains(engine)) {
			throw new ResponseStatusException(HttpStatus.NOT_FOUND,
					"There is no lock engine '" + engine + "', only " + this.locks.engines());
		}
		this.locks.switchEngine(engine);
		return this.locks.engineStatus();
	}

	@DeleteMapping("/switch")
	EngineStatus callOff() {
		this.locks.cancelSwitch();
		return this.locks.engineStatus();
	}

	@ExceptionHandler
	ProblemDetail refused(EngineSwitchException ex) {
		return ProblemDetail.forStatusAndDetail(HttpStatus.CONFLICT, ex.getMessage());
	}

}
