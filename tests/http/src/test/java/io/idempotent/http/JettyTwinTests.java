package io.idempotent.http;

import java.util.Set;

/**
 * On Jetty.
 */
class JettyTwinTests extends TwinContract {

	@Override
	Server.Container container() {
		return Server.Container.JETTY;
	}

	@Override
	Set<String> documented() {
		return Set.of("a forward that drops what was written", "an encoding after the writer, which is too late",
				"parts that break off");
	}

}
