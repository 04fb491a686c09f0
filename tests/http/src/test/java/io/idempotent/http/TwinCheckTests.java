package io.idempotent.http;

import java.util.List;
import java.util.stream.Stream;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The check finds what was planted, and nothing else.
 */
@Tag("slow")
class TwinCheckTests extends PairContract {

	@Override
	Server.Container container() {
		return Server.Container.TOMCAT;
	}

	static Stream<Arguments> planted() {
		return Stream.of(Arguments.of("byte", "body (5 and 5 bytes), from byte 4 should be [n] and is [m]"),
				Arguments.of("header", "header x-order-id should be [7] and is [8]"),
				Arguments.of("missing-header", "header x-order-id should be [7] and is [none]"),
				Arguments.of("status", "status line should be [HTTP/1.1 200] and is [HTTP/1.1 201]"),
				Arguments.of("framing", "framing should be [LENGTH] and is [CHUNKED]"),
				Arguments.of("connection", "connection should be [stays open] and is [is closed]"),
				Arguments.of("no-end", "framing should be [CHUNKED] and is [BROKEN]"));
	}

	@ParameterizedTest(name = "{0}")
	@MethodSource("planted")
	void findsADifferenceOfTheFirstAnswer(String path, String difference) {
		assertThat(check(path)).contains("first answer: " + difference);
	}

	@Test
	void findsNothingWhereNothingIsPlanted() {
		assertThat(check("nothing")).isEmpty();
	}

	@Test
	void findsThatARepeatRanAgain() {
		Twin notAnnotated = Twin.of("not annotated", Request.post("/untouched/text"));
		assertThat(new TwinCheck(this.pair, RawClient::send).of(notAnnotated)).contains(
				"repeat: is not marked as replayed but answered [HTTP/1.1 200]",
				"repeat: the handler should run 0 times and ran 1 times");
	}

	@Test
	void findsADifferenceOfTheRepeat() {
		List<String> found = new TwinCheck(this.pair, (port, request) -> withAByteLess(RawClient.send(port, request)))
			.of(twin("nothing"));
		assertThat(found).singleElement()
			.asString()
			.startsWith("repeat: body (5 and 4 bytes), from byte 0 should be [seven] and is [even]");
	}

	@Test
	void findsThatAnotherCallerGotTheAnswer() {
		List<String> found = new TwinCheck(this.pair, RawClient::send, Callers.ANN).of(twin("nothing"));
		assertThat(found).contains("other caller: header idempotency-replayed should be [none] and is [true]",
				"other caller: the handler should run 1 times and ran 0 times");
	}

	@Test
	void comparesWithAnApplicationWithoutTheStarter() {
		assertThat(this.pair.with().knowsTheStarter()).isTrue();
		assertThat(this.pair.without().knowsTheStarter()).isFalse();
	}

	private List<String> check(String path) {
		return new TwinCheck(this.pair, RawClient::send).of(twin(path));
	}

	private static Twin twin(String path) {
		Request request = Request.post("/planted/" + path);
		return Twin.of(path, path.equals("no-end") ? request.header("Connection: close") : request);
	}

	private static RawResponse withAByteLess(RawResponse answer) {
		return !answer.isReplayed() ? answer : new RawResponse(answer.interim(), answer.status(), answer.headers(),
				answer.framing(), answer.body().substring(1), answer.trailers(), answer.connection());
	}

}
