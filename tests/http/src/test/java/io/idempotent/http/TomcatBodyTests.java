package io.idempotent.http;

/**
 * On Tomcat.
 */
class TomcatBodyTests extends BodyContract {

	@Override
	Server.Container container() {
		return Server.Container.TOMCAT;
	}

}
