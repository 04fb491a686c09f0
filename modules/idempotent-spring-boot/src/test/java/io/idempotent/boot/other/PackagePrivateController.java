package io.idempotent.boot.other;

import io.idempotent.ApiIdempotent;

import org.springframework.web.bind.annotation.PostMapping;

/**
 * A proxy of a subclass in another package cannot override its method.
 */
public class PackagePrivateController {

	@ApiIdempotent
	@PostMapping("/orders")
	String create() {
		return "";
	}

	@ApiIdempotent(name = "inherited")
	public String named() {
		return "";
	}

}
