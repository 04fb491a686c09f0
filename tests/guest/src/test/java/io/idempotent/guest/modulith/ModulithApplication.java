package io.idempotent.guest.modulith;

import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.modulith.events.ApplicationModuleListener;

/**
 * Has a listener of events.
 */
@SpringBootApplication
public class ModulithApplication {

	@Bean
	Listener listener() {
		return new Listener();
	}

	/** Proxied, so not final. */
	static class Listener {

		@ApplicationModuleListener
		void on(String event) {
			// Only its infrastructure is of interest.
		}

	}

}
