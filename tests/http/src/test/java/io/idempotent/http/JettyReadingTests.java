package io.idempotent.http;

import org.junit.jupiter.api.Tag;

/**
 * On Jetty.
 */
@Tag("slow")
class JettyReadingTests extends ReadingContract {

	@Override
	Server.Container container() {
		return Server.Container.JETTY;
	}

}
