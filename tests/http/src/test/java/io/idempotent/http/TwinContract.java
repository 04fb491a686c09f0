package io.idempotent.http;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiFunction;

import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What an application with the starter answers, against its twin without, on a real
 * server.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class TwinContract {

	private final Http2Client http2 = new Http2Client();

	private Pair pair;

	@RegisterExtension
	final BeforeAllCallback start = (context) -> this.pair = Pair.of(container(), context);

	abstract Server.Container container();

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

	@ParameterizedTest(name = "{0}")
	@MethodSource("io.idempotent.http.Catalogue#all")
	void isAnsweredLikeItsTwin(Twin twin) {
		check(twin, RawClient::send);
	}

	@ParameterizedTest(name = "{0}")
	@Tag("slow")
	@MethodSource("io.idempotent.http.Catalogue#inHttp2")
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
