package io.idempotent.http;

/**
 * On Tomcat.
 */
class TomcatPromiseTests extends PromiseContract {

	@Override
	Server.Container container() {
		return Server.Container.TOMCAT;
	}

}
