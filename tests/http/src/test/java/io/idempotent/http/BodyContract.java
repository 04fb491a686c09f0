package io.idempotent.http;

import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;

import io.idempotent.http.BodyFilter.Kind;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

/**
 * Filters of every kind that read, wrap or replace the body: equal bodies take effect
 * once, different ones are different submissions, and the handler reads what it would
 * read without the starter.
 */
abstract class BodyContract extends PairContract {

	static Stream<Case> cases() {
		return Arrays.stream(Kind.values())
			.flatMap((kind) -> Stream.of(FilteredBodies.IN_FRONT, FilteredBodies.BEHIND)
				.flatMap((place) -> paths(kind).map((path) -> new Case(kind, place, path))));
	}

	private static Stream<String> paths(Kind kind) {
		if (kind == Kind.PARTS_OF_A_WRAPPER) {
			return Stream.of("header/part", "content/part");
		}
		if (kind == Kind.PARTS_COPIED) {
			return Stream.of("header/stream", "content/stream");
		}
		if (kind.isMultipart()) {
			return Stream.of("token/form", "header/form", "content/form");
		}
		if (kind.isForm() || kind.isFile()) {
			String how = kind.isForm() ? "form" : "file";
			return Stream.of("token/" + how, "header/" + how, "content/" + how);
		}
		return Stream
			.of("token/stream", "header/stream", "content/stream", "header/reader", "header/converted",
					"header/callable")
			.filter((path) -> kind.hasReader() || !path.endsWith("reader"));
	}

	static Stream<Case> served() {
		return cases().filter((filtered) -> !filtered.kind().takesAway());
	}

	static Stream<Case> takenAway() {
		return cases().filter((filtered) -> filtered.kind().takesAway());
	}

	/** Without a length, nothing shows that a rest is not the whole. */
	static Stream<Case> takenAwayInChunks() {
		return takenAway().filter((filtered) -> filtered.kind() != Kind.READ_IN_PART
				&& filtered.path().equals(filtered.kind().isMultipart() ? "header/form" : "header/stream"));
	}

	@ParameterizedTest(name = "{0}")
	@MethodSource("served")
	void equalBodiesTakeEffectOnceAndOthersAgain(Case filtered) {
		assumeFalse(filtered.kind() == Kind.PARTS_COPIED && container() == Server.Container.JETTY,
				"Jetty refuses a multipart request with 400 if a filter has read its body");
		String one = filtered.body(1);
		String other = filtered.body(2);
		int before = this.pair.with().runs();
		String key = newKey(filtered);
		RawResponse first = runsLikeItsTwin(filtered, one, key);
		RawResponse repeat = send(filtered, one, key);
		assertThat(repeat.isReplayed()).isTrue();
		assertThat(repeat.body()).isEqualTo(first.body());
		if (!filtered.isByContent()) {
			RawResponse reused = send(filtered, other, key);
			assertThat(reused.code()).isEqualTo(422);
			assertThat(reused.body()).contains("key-reused");
		}
		assertThat(this.pair.with().runs() - before).isEqualTo(1);
		runsLikeItsTwin(filtered, other, newKey(filtered));
		assertThat(this.pair.with().runs() - before).isEqualTo(2);
	}

	@ParameterizedTest(name = "{0}")
	@MethodSource("takenAway")
	void bodyTakenAwayByAFilterIsNoKey(Case filtered) {
		int before = this.pair.with().runs();
		for (String body : List.of(filtered.body(1), filtered.body(2), filtered.body(1))) {
			RawResponse refused = send(filtered, body, newKey(filtered));
			assertUnreadable(filtered, refused);
		}
		assertThat(this.pair.with().runs()).isEqualTo(before);
	}

	@ParameterizedTest(name = "{0}")
	@MethodSource("takenAwayInChunks")
	void bodyInChunksTakenAwayByAFilterIsNoKey(Case filtered) {
		int before = this.pair.with().runs();
		RawResponse refused = RawClient.send(this.pair.with().port(),
				filtered.request(filtered.body(1), newKey(filtered)).header("Transfer-Encoding: chunked"));
		assertUnreadable(filtered, refused);
		assertThat(this.pair.with().runs()).isEqualTo(before);
	}

	/** Jetty itself refuses parts without an end. */
	private static void assertUnreadable(Case filtered, RawResponse refused) {
		if (refused.code() != 400 || !filtered.kind().isMultipart()) {
			assertThat(refused.code()).isEqualTo(500);
			assertThat(refused.body()).contains("body-unreadable");
		}
	}

	@ParameterizedTest
	@EnumSource(names = { "ORIGINAL", "DELEGATING", "OPENS_THE_STREAM", "LAZY" })
	void bodyMayBeEmpty(Kind kind) {
		for (String path : List.of("token/stream", "header/stream", "content/stream")) {
			Case filtered = new Case(kind, FilteredBodies.BEHIND, path);
			String key = newKey(filtered);
			for (Request request : List.of(filtered.request("", key),
					filtered.request("", key).header("Transfer-Encoding: chunked"))) {
				RawResponse response = RawClient.send(this.pair.with().port(), request);
				assertThat(response.code()).isEqualTo(200);
				assertThat(response.body()).isEmpty();
			}
		}
	}

	private RawResponse runsLikeItsTwin(Case filtered, String body, String key) {
		RawResponse first = send(filtered, body, key);
		RawResponse twin = RawClient.send(this.pair.without().port(), filtered.request(body, key));
		assertThat(first.status()).as(filtered + first.body()).isEqualTo(twin.status());
		assertThat(first.body()).isEqualTo(twin.body());
		assertThat(first.byName()).containsAllEntriesOf(twin.byName());
		return first;
	}

	private RawResponse send(Case filtered, String body, String key) {
		return RawClient.send(this.pair.with().port(), filtered.request(body, key));
	}

	private String newKey(Case filtered) {
		if (!filtered.path().startsWith("token")) {
			return "Idempotency-Key: " + UUID.randomUUID();
		}
		RawResponse token = RawClient.send(this.pair.with().port(), Request.get("/token").header("Accept: text/plain"));
		return "Idempotent-Token: " + token.body();
	}

	/**
	 * A filter, where it stands, and the handler behind it.
	 */
	record Case(Kind kind, String place, String path) {

		String body(int number) {
			String name = this.kind.name() + this.place + this.path;
			return this.kind.isForm() ? "n=" + name + number : "{\"case\":\"" + name + "\",\"n\":" + number + "}";
		}

		boolean isByContent() {
			return this.path.startsWith("content");
		}

		Request request(String body, String key) {
			Request request = Request.of("POST", "/filtered-bodies/" + this.path)
				.header(this.place + ": " + this.kind.name())
				.header(key);
			if (this.kind.isForm()) {
				// The field of Spring Security is another one with each rendering.
				return request.body("application/x-www-form-urlencoded", body + "&_csrf=" + UUID.randomUUID());
			}
			return request.body((this.kind.isFile() || this.kind.isMultipart()) ? "multipart/form-data;boundary=next"
					: "application/json;charset=UTF-8", this.kind.sent(body));
		}

		@Override
		public String toString() {
			return this.path + ", " + this.kind + ", " + this.place;
		}

	}

}
