package io.idempotent.http;

import org.junit.jupiter.api.Tag;

/**
 * On Jetty.
 */
@Tag("slow")
class JettyPromiseTests extends PromiseContract {

	@Override
	Server.Container container() {
		return Server.Container.JETTY;
	}

}
