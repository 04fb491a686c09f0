package io.idempotent.http;

/**
 * On Tomcat.
 */
class TomcatReadingTests extends ReadingContract {

	@Override
	Server.Container container() {
		return Server.Container.TOMCAT;
	}

}
