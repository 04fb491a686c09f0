package io.idempotent.http;

/**
 * On Tomcat.
 */
class TomcatTwinTests extends TwinContract {

	@Override
	Server.Container container() {
		return Server.Container.TOMCAT;
	}

}
