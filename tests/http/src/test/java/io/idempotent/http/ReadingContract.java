package io.idempotent.http;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * What a handler can read does not depend on the annotation: every way of reading, of
 * every content, against the same handler in an application without the starter.
 */
abstract class ReadingContract extends PairContract {

	private static final String FORM = "application/x-www-form-urlencoded";

	private static final String PART = "--next\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n7\r\n--next--\r\n";

	private static final List<Content> FORMS = List.of(Content.form("order=7&sign=ab"), Content.form("a=%7e&b=+&c=%2B"),
			Content.form("a=1&b=2&a=%31&a"), Content.form("a"), Content.form("&&a=1&b=&"), Content.form("&"),
			Content.form("_method=DELETE&a=1"), Content.form(""), Content.form("a=1;b=2"), Content.form("a=ä&b=%C3%A4"),
			Content.of(FORM + ";charset=ISO-8859-1", "a=%E4&b=2"), Content.of(FORM + ";charset=GBK", "a=%D6%D0"),
			Content.of(FORM + "; charset=nonsense", "a=%C3%A4"), Content.of(FORM + " ; x=y", "a=1"),
			Content.of("Application/X-WWW-Form-UrlEncoded; Charset=utf-8", "a=%C3%A4"), Content.of(FORM + ",x", "a=1"),
			Content.of(FORM + "x", "a=1"), Content.of(FORM + ";charset", "a=1"));

	private static final List<Content> MALFORMED = List.of(Content.form("=x&a=1"), Content.form("a=%zz&b=1"),
			Content.form("a=%E4"));

	private static final List<Content> OTHERS = List.of(Content.of("application/json", "{\"a\":1}"),
			Content.of("application/json;charset=ISO-8859-1", "{\"a\":\"ä\"}"), Content.of("text/plain", "a=1"),
			Content.of("TEXT/plain;Charset=utf-8", "ä"), Content.of("multipart/form-data; boundary=next", PART),
			Content.of("Multipart/Form-Data; boundary=next; charset=UTF-8", PART),
			Content.of("multipart/mixed; boundary=next", PART), Content.of("no type", "a=1"), Content.NONE);

	private static final List<Content> LIMITS = List.of(
			Content.form(IntStream.range(0, 999).mapToObj((i) -> "n" + i + "=1").collect(joining("&"))),
			Content.form(IntStream.range(0, 1100).mapToObj((i) -> "n" + i + "=1").collect(joining("&"))),
			Content.form("a=" + "x".repeat(199_990)), Content.form("a=" + "x".repeat(200_010)));

	/** Every key, and every query with one of them. */
	private static final List<Sending> SENDINGS = List.of(new Sending(Key.HEADER, ""), new Sending(Key.HEADER, "?a=0"),
			new Sending(Key.HEADER, "?a=%zz"), new Sending(Key.HEADER, "?b&a=%C3%A4&a=+"), new Sending(Key.CONTENT, ""),
			new Sending(Key.TOKEN_HEADER, ""), new Sending(Key.TOKEN_FIELD, "?a=0"));

	private static final List<Sending> LIMITED = List.of(new Sending(Key.HEADER, ""),
			new Sending(Key.HEADER, "?a=0&a=1"), new Sending(Key.CONTENT, ""), new Sending(Key.TOKEN_HEADER, ""),
			new Sending(Key.TOKEN_FIELD, "?a=0"));

	static List<String> ways() {
		return Readings.WAYS;
	}

	@ParameterizedTest
	@MethodSource("ways")
	void formsAreReadAsByTheTwin(String way) {
		assertThat(deviations(FORMS.subList(0, 4), List.of("", "?a=0"), way)).isEmpty();
	}

	@ParameterizedTest
	@MethodSource("ways")
	@Tag("slow")
	void oddFormsAreReadAsByTheTwin(String way) {
		assertThat(deviationsOfPairs(FORMS, SENDINGS, way)).isEmpty();
		assertThat(deviations(MALFORMED, List.of("", "?a=0"), way)).isEmpty();
	}

	@ParameterizedTest
	@MethodSource("ways")
	void otherContentsAreReadAsByTheTwin(String way) {
		assertThat(deviations(OTHERS, List.of("", "?a=%zz"), way)).isEmpty();
	}

	/** Whether a connection stays open depends on how much of a body is left. */
	@ParameterizedTest
	@MethodSource("ways")
	@Tag("slow")
	void limitsOfTheContainerHoldAsForTheTwin(String way) {
		assertThat(deviationsOfPairs(LIMITS, LIMITED, way))
			.allMatch((difference) -> difference.contains(": header connection should be")
					|| difference.contains(": connection should be"));
	}

	/** FormContentFilter has read forms before; then only the twin refuses readers. */
	@ParameterizedTest
	@ValueSource(strings = { "PUT", "PATCH", "DELETE" })
	@Tag("slow")
	void otherMethodsReadAsTheTwin(String method) {
		assertThat(found(Readings.WAYS, (way) -> {
			List<Content> forms = way.contains("reader") ? List.of() : FORMS.subList(0, 4);
			return Stream.concat(forms.stream(), OTHERS.stream())
				.flatMap((content) -> deviations(content.request(method, path("header", way)), Key.HEADER, content)
					.stream())
				.toList();
		})).isEmpty();
	}

	@ParameterizedTest
	@ValueSource(strings = { "DELEGATING", "OPENS_THE_STREAM", "ASKS_FOR_A_PARAMETER", "CONTENT_CACHING", "LAZY",
			"FORM_ESCAPED", "FORM_ESCAPED_LATER" })
	void behindAFilterFormsAreReadAsByTheTwin(String kind) {
		Content content = FORMS.get(2);
		assertThat(found(ways(kind),
				(way) -> places(kind).stream()
					.map((place) -> content.request("POST", path("header", way) + "?a=0").header(place + ": " + kind))
					.flatMap((request) -> deviations(request, Key.HEADER, content).stream())
					.toList()))
			.isEmpty();
	}

	/** Nothing shows that a filter in front has opened the stream. */
	private static List<String> places(String kind) {
		return kind.equals("OPENS_THE_STREAM") ? List.of(FilteredBodies.BEHIND)
				: List.of(FilteredBodies.IN_FRONT, FilteredBodies.BEHIND);
	}

	/**
	 * Jetty takes what is left of an opened stream for parameters, but opens no reader.
	 */
	private static List<String> ways(String kind) {
		return Readings.WAYS.stream()
			.filter((way) -> !kind.equals("OPENS_THE_STREAM") || !way.contains("reader"))
			.toList();
	}

	/**
	 * Each content in each way, each content in each sending, and each way in each
	 * sending, but not all three with each other: two sendings of each content, others in
	 * the next way.
	 */
	private List<String> deviationsOfPairs(List<Content> contents, List<Sending> sendings, String way) {
		int turn = Readings.WAYS.indexOf(way);
		return found(contents, (content) -> {
			int first = contents.indexOf(content) + turn;
			return Stream.of(first, first + 3)
				.map((number) -> sendings.get(number % sendings.size()))
				.filter((sending) -> sending.key() != Key.TOKEN_FIELD || content.isForm())
				.flatMap((sending) -> deviations(content, sending.query(), way, sending.key()).stream())
				.toList();
		});
	}

	private List<String> deviations(List<Content> contents, List<String> queries, String way) {
		return found(contents, (content) -> {
			List<String> found = new ArrayList<>();
			for (String query : queries) {
				found.addAll(deviations(content, query, way, Key.HEADER));
			}
			found.addAll(deviations(content, "", way, Key.CONTENT));
			found.addAll(deviations(content, "", way, Key.TOKEN_HEADER));
			if (content.isForm()) {
				found.addAll(deviations(content, "?a=0", way, Key.TOKEN_FIELD));
			}
			return found;
		});
	}

	private static <T> List<String> found(List<T> cases, Function<T, List<String>> check) {
		return cases.parallelStream().map(check).flatMap(List::stream).toList();
	}

	private List<String> deviations(Content content, String query, String way, Key key) {
		return deviations(content.request("POST", path(key.path, way) + query), key, content);
	}

	/** A path counts for the key of the content. */
	private static String path(String source, String way) {
		return "/readings/" + source + "/" + UUID.randomUUID() + "/" + way;
	}

	private List<String> deviations(Request bare, Key key, Content content) {
		Request request = key.in(bare, this.pair.with().port());
		RawResponse twin = RawClient.send(this.pair.without().port(), request);
		RawResponse first = RawClient.send(this.pair.with().port(), request).without(Set.of("idempotency-ttl"));
		List<String> found = new ArrayList<>(Differences
			.between(request.method() + " " + request.path() + " " + key + " " + content.brief(), twin, first));
		if (!found.isEmpty()) {
			return List.of(found.get(0) + " " + found.get(found.size() - 1));
		}
		if (twin.code() < 300 && twin.body().length() < 64 * 1024) {
			RawResponse repeat = RawClient.send(this.pair.with().port(), request);
			if (!repeat.isReplayed() || !repeat.body().equals(first.body())) {
				found.add(request.path() + " " + key + " " + content.brief() + ": repeat is " + repeat);
			}
		}
		return found;
	}

	private enum Key {

		HEADER("header"), TOKEN_HEADER("token"), TOKEN_FIELD("token"), CONTENT("content");

		private final String path;

		Key(String path) {
			this.path = path;
		}

		Request in(Request request, int port) {
			return switch (this) {
				case HEADER -> request.header("Idempotency-Key: " + UUID.randomUUID());
				case TOKEN_HEADER -> request.header("Idempotent-Token: " + token(port));
				case TOKEN_FIELD -> {
					byte[] field = ("&_idempotentToken=" + token(port)).getBytes(StandardCharsets.UTF_8);
					byte[] body = Arrays.copyOf(request.body(), request.body().length + field.length);
					System.arraycopy(field, 0, body, request.body().length, field.length);
					yield new Request(request.method(), request.path(), request.version(), request.headers(), body);
				}
				case CONTENT -> request;
			};
		}

		private static String token(int port) {
			return RawClient.send(port, Request.get("/token").header("Accept: text/plain")).body();
		}

	}

	/** Where the key is, and what else the address says. */
	private record Sending(Key key, String query) {
	}

	private record Content(String type, String text) {

		static final Content NONE = new Content("", "");

		static Content form(String text) {
			return new Content(FORM, text);
		}

		static Content of(String type, String text) {
			return new Content(type, text);
		}

		boolean isForm() {
			return this.type.equals(FORM);
		}

		Request request(String method, String path) {
			Request request = Request.of(method, path);
			if (this.type.isEmpty()) {
				return request;
			}
			byte[] body = this.text.getBytes(StandardCharsets.UTF_8);
			return this.type.equals("no type") ? new Request(method, path, request.version(), request.headers(), body)
					: request.body(this.type, body);
		}

		String brief() {
			return this.type + " [" + this.text.substring(0, Math.min(20, this.text.length())) + "]";
		}

	}

}
