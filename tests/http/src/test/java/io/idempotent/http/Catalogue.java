package io.idempotent.http;

import java.util.List;
import java.util.stream.Stream;

/**
 * Every kind of handler and request that is compared.
 */
final class Catalogue {

	private Catalogue() {
	}

	static List<Twin> all() {
		return Stream
			.of(Bodies.twins(), Entities.twins(), Views.twins(), Writes.twins(), Headers.twins(), Errors.twins(),
					Redirects.twins(), Files.twins(), AsyncHandlers.twins(), OwnContexts.twins(), Declared.twins(),
					Requests.twins(), Filtered.twins(), KotlinTwins.twins(), PlainHandlers.twins())
			.flatMap(List::stream)
			.toList();
	}

	static List<Twin> inHttp2() {
		return all().stream().filter((twin) -> !twin.onlyHttp1()).toList();
	}

}
