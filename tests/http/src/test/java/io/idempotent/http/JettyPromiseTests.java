package io.idempotent.http;

/**
 * On Jetty.
 */
class JettyPromiseTests extends PromiseContract {

	@Override
	Server.Container container() {
		return Server.Container.JETTY;
	}

}
