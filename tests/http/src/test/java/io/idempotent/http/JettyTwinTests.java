package io.idempotent.http;

import java.util.Optional;
import java.util.Set;

import org.junit.jupiter.api.Tag;

/**
 * On Jetty.
 */
@Tag("slow")
class JettyTwinTests extends TwinContract {

	@Override
	Server.Container container() {
		return Server.Container.JETTY;
	}

	/**
	 * Jetty cancels the stream of a request whose body nobody has read, right behind its
	 * answer. The client of JDK 25 then drops the answer now and then, with the starter
	 * and without.
	 */
	@Override
	Optional<String> withoutHttp2() {
		return (Runtime.version().feature() >= 25)
				? Optional.of("the HTTP client of JDK 25 drops answers of Jetty in HTTP/2, also without the starter")
				: Optional.empty();
	}

	@Override
	Set<String> documented() {
		return Set.of("an encoding after the writer, which is too late", "parts that break off");
	}

}
