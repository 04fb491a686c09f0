package io.idempotent.http;

import java.util.List;

/**
 * The handlers in Kotlin.
 */
final class KotlinTwins {

	private KotlinTwins() {
	}

	static List<Twin> twins() {
		return List.of(Twin.of("a data class", Request.post("/kotlin/data")),
				Twin.of("a data class without what it needs",
						Request.post("/kotlin/data").body("application/json", "{\"weight\":7}")),
				Twin.of("null in Kotlin", Request.post("/kotlin/null")), Twin.of("Unit", Request.post("/kotlin/unit")),
				Twin.of("a suspend function", Request.post("/kotlin/suspend")),
				Twin.of("a suspend function that does not suspend", Request.post("/kotlin/suspend-at-once")),
				Twin.of("a suspend function of nothing", Request.post("/kotlin/suspend-nothing")),
				Twin.of("a suspend function that is answered 409", Request.post("/kotlin/suspend-fails")),
				Twin.of("a suspend function that fails", Request.post("/kotlin/suspend-breaks")));
	}

}
