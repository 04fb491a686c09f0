package io.idempotent.guest.caches;

import java.util.concurrent.atomic.AtomicInteger;

import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.cache.annotation.Cacheable;
import org.springframework.cache.annotation.EnableCaching;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/**
 * Counts how often it did not find a value in its cache.
 */
@SpringBootApplication
@EnableCaching
public class CachingApplication {

	/** Proxied, so not final. */
	@RestController
	static class Quotes {

		private final AtomicInteger found = new AtomicInteger();

		@GetMapping("/quote")
		@Cacheable("quotes")
		public int quote() {
			return this.found.incrementAndGet();
		}

	}

}
