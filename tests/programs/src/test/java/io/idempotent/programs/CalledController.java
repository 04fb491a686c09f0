package io.idempotent.programs;

import java.util.function.Function;

import io.idempotent.ApiIdempotent;
import io.idempotent.IdempotencyContext;
import io.idempotent.KeySource;

import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestAttribute;
import org.springframework.web.bind.annotation.RestController;

/**
 * An idempotent handler method.
 */
@RestController
class CalledController {

	static final String PATH = "/programs";

	static final String BODY = "programs.body";

	@PostMapping(PATH)
	@ApiIdempotent(value = KeySource.HEADER, name = "programs.HTTP")
	String http(@RequestAttribute(BODY) Function<String, String> body, IdempotencyContext context) {
		return body.apply(context.key());
	}

}
