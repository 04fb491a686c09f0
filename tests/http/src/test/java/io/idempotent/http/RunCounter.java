package io.idempotent.http;

import java.util.concurrent.atomic.AtomicInteger;

import org.aspectj.lang.annotation.Aspect;
import org.aspectj.lang.annotation.Before;

/**
 * Counts how often handlers run: what stands inside everything else around them.
 */
@Aspect
class RunCounter {

	private final AtomicInteger count = new AtomicInteger();

	@Before("within(io.idempotent.http..*) && !within(io.idempotent.http.Application.Next) && (@within(org.springframework.stereotype.Controller) "
			+ "|| @within(org.springframework.web.bind.annotation.RestController))")
	void ran() {
		this.count.incrementAndGet();
	}

	int count() {
		return this.count.get();
	}

}
