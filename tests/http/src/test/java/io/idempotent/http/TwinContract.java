package io.idempotent.http;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.stream.Stream;

import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What an application with the starter answers, against its twin without, on a real
 * server.
 */
abstract class TwinContract extends PairContract {

	private final Http2Client http2 = new Http2Client();

	/**
	 * Why the client of this JVM cannot speak HTTP/2 with this container, if so.
	 */
	Optional<String> withoutHttp2() {
		return Optional.empty();
	}

	/**
	 * The twins that differ on this container, as docs/reference/handlers.md says.
	 */
	Set<String> documented() {
		return Set.of();
	}

	static List<Twin> all() {
		return Stream
			.of(Bodies.twins(), Entities.twins(), Views.twins(), Writes.twins(), Headers.twins(), Errors.twins(),
					Redirects.twins(), Files.twins(), AsyncHandlers.twins(), OwnContexts.twins(), Declared.twins(),
					Requests.twins(), Filtered.twins(), inKotlin(), PlainHandlers.twins())
			.flatMap(List::stream)
			.toList();
	}

	static List<Twin> inHttp2() {
		return all().stream().filter((twin) -> !twin.onlyHttp1()).toList();
	}

	private static List<Twin> inKotlin() {
		return List.of(Twin.of("a data class", Request.post("/kotlin/data")),
				Twin.of("a data class without what it needs",
						Request.post("/kotlin/data").body("application/json", "{\"weight\":7}")),
				Twin.of("null in Kotlin", Request.post("/kotlin/null")), Twin.of("Unit", Request.post("/kotlin/unit")),
				Twin.of("a suspend function", Request.post("/kotlin/suspend")),
				Twin.of("a suspend function that does not suspend", Request.post("/kotlin/suspend-at-once")),
				Twin.of("a suspend function of nothing", Request.post("/kotlin/suspend-nothing")),
				Twin.of("a suspend function with a key", Request.post("/kotlin/suspend-by-content")),
				Twin.of("a suspend function with a key of two", Request.post("/kotlin/suspend/7/by-content")),
				Twin.of("a suspend function with a condition", Request.post("/kotlin/suspend/8/conditional")),
				Twin.of("a suspend function whose condition does not hold",
						Request.post("/kotlin/suspend/7/conditional"))
					.repeated(Twin.Repeat.RUNS),
				Twin.of("a suspend function that is answered 409", Request.post("/kotlin/suspend-fails")),
				Twin.of("a suspend function that fails", Request.post("/kotlin/suspend-breaks")));
	}

	@ParameterizedTest(name = "{0}")
	@MethodSource("all")
	void isAnsweredLikeItsTwin(Twin twin) {
		check(twin, RawClient::send);
	}

	@ParameterizedTest(name = "{0}")
	@Tag("slow")
	@MethodSource("inHttp2")
	void isAnsweredLikeItsTwinInHttp2(Twin twin) {
		withoutHttp2().ifPresent(Assumptions::abort);
		check(twin, this.http2::send);
	}

	private void check(Twin twin, BiFunction<Integer, Request, RawResponse> client) {
		List<String> deviations = new TwinCheck(this.pair, client).of(twin);
		if (documented().contains(twin.name())) {
			assertThat(deviations).as("%s is documented as different", twin).isNotEmpty();
		}
		else {
			assertThat(deviations).as("%s", twin).isEmpty();
		}
	}

}
