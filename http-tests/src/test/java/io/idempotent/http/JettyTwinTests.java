package io.idempotent.http;

/**
 * On Jetty.
 */
class JettyTwinTests extends TwinContract {

	@Override
	Server.Container container() {
		return Server.Container.JETTY;
	}

}
