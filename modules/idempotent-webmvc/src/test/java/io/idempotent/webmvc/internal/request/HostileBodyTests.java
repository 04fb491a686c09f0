package io.idempotent.webmvc.internal.request;

import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import com.sun.management.ThreadMXBean;
import io.idempotent.ApiIdempotent;
import io.idempotent.IdempotencyProfile;
import io.idempotent.KeySource;
import io.idempotent.Refusal;
import io.idempotent.SubmissionRefusedException;
import io.idempotent.WhenCompleted;
import io.idempotent.WhenFailed;
import io.idempotent.WhenInProgress;
import io.idempotent.WhenStoreFails;
import io.idempotent.WhenUnknown;
import io.idempotent.json.JsonCanonicalizer;
import io.idempotent.submission.policy.ComparedFields;
import io.idempotent.submission.policy.OperationPolicy;
import io.idempotent.webmvc.internal.operation.ErrorStatuses;
import io.idempotent.webmvc.internal.operation.HttpSettings;
import io.idempotent.webmvc.internal.operation.Operation;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.core.annotation.AnnotationUtils;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockPart;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * What a body costs before anybody knows whether its key is good: memory is counted, not
 * time, and grows with the length of the body, whatever its shape. More generated shapes
 * by {@code -Didempotent.hostile-bodies=1000}.
 */
class HostileBodyTests {

	private static final int ROUNDS = Integer.getInteger("idempotent.hostile-bodies", 60);

	/** An array of digits costs most for its length, about 55; a text about 11. */
	private static final int MAX_PER_BYTE = 80;

	private static final int CONSTANT = 64 * 1024;

	private static final int MEGABYTE = 1024 * 1024;

	private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

	private final RequestFingerprint fingerprints = fingerprints(Long.MAX_VALUE);

	/** Shapes of JSON, each a text of about a given length. */
	static Stream<Named<IntFunction<String>>> shapes() {
		return Stream.of(
				shape("deep objects", (size) -> "{\"a\":".repeat(490) + '"' + "x".repeat(size) + '"' + "}".repeat(490)),
				shape("deep arrays", (size) -> "[".repeat(490) + '"' + "x".repeat(size) + '"' + "]".repeat(490)),
				shape("deep and wide", (size) -> {
					String level = "{" + members(size / 490 / 12) + ",\"a\":";
					return level.repeat(480) + "1" + "}".repeat(480);
				}), shape(
						"wide at the bottom", (size) -> "{\"a\":".repeat(480) + "{" + members(size
								/ 12) + "}" + "}".repeat(
										480)),
				shape("many members", (size) -> "{" + members(size / 12) + "}"),
				shape("members of one name", (size) -> "{" + "\"a\":1,".repeat(size / 6) + "\"a\":1}"),
				shape("long names",
						(size) -> "{" + IntStream.range(0, 16)
							.mapToObj((i) -> '"' + "n".repeat(size / 16) + i + "\":1")
							.collect(Collectors.joining(",")) + "}"),
				shape("numbers", (size) -> "[" + "1,".repeat(size / 2) + "1]"),
				shape("empty objects", (size) -> "[" + "{},".repeat(size / 3) + "{}]"),
				shape("empty arrays", (size) -> "[" + "[],".repeat(size / 3) + "[]]"),
				shape("pairs", (size) -> "[" + "{\"a\":{\"b\":[]}},".repeat(size / 16) + "1]"),
				shape("long string", (size) -> '"' + "x".repeat(size) + '"'),
				shape("long number", (size) -> "1".repeat(size)),
				shape("long fraction", (size) -> "0." + "1".repeat(size) + "e7"),
				shape("escapes", (size) -> '"' + "\\u0041".repeat(size / 6) + '"'),
				shape("lone surrogates", (size) -> '"' + "\\ud800".repeat(size / 6) + '"'),
				shape("white space", (size) -> " ".repeat(size) + "1"),
				shape("unclosed", (size) -> "{\"a\":[" + "{},".repeat(size / 3)));
	}

	private static Named<IntFunction<String>> shape(String name, IntFunction<String> text) {
		return Named.of(name, text);
	}

	private static String members(int count) {
		return IntStream.rangeClosed(0, count).mapToObj((i) -> "\"" + i + "m\":1").collect(Collectors.joining(","));
	}

	@ParameterizedTest
	@MethodSource("shapes")
	void costOfJsonIsLinearForEveryShape(IntFunction<String> shape) {
		byte[] small = shape.apply(MEGABYTE / 16).getBytes(StandardCharsets.UTF_8);
		byte[] large = shape.apply(MEGABYTE).getBytes(StandardCharsets.UTF_8);
		cost(json(small));
		long first = cost(json(small));
		long second = cost(json(large));
		assertThat(second).isLessThan((long) MAX_PER_BYTE * large.length + CONSTANT);
		assertThat(second - CONSTANT).isLessThan(first * large.length / small.length * 3 / 2);
	}

	@Test
	void costOfGeneratedJsonIsLinear() {
		long seed = Long.getLong("idempotent.seed", new Random().nextLong());
		System.out.println("HostileBodyTests: -Didempotent.seed=" + seed);
		Random random = new Random(seed);
		cost(json("{}".getBytes(StandardCharsets.UTF_8)));
		for (int round = 0; round < ROUNDS; round++) {
			byte[] body = generated(random).getBytes(StandardCharsets.UTF_8);
			assertThat(cost(json(body))).as("seed %d, round %d, %d bytes", seed, round, body.length)
				.isLessThan((long) MAX_PER_BYTE * body.length + CONSTANT);
			// No value is visited that is not there, and none is written twice.
			String canonical = new JsonCanonicalizer(body.length, false).canonicalize(body);
			assertThat(canonical).as("seed %d, round %d", seed, round).isNotNull();
			assertThat(canonical.length()).isLessThan(4 * body.length + 16);
		}
	}

	@Test
	void costOfAFormIsLinearInItsFields() {
		for (IntFunction<MockHttpServletRequest> form : List.<IntFunction<MockHttpServletRequest>>of(
				HostileBodyTests::manyFields, HostileBodyTests::manyValues, HostileBodyTests::manyQueryFields,
				HostileBodyTests::manyParts)) {
			cost(form.apply(500));
			long few = cost(form.apply(500));
			long many = cost(form.apply(8_000));
			assertThat(many - CONSTANT).isLessThan(few * 16 * 3 / 2);
			assertThat(many).isLessThan(8_000L * 1_000 + CONSTANT);
		}
	}

	@Test
	void costOfAFormOfSeparatorsIsThatOfItsBytes() {
		MockHttpServletRequest form = manyFields(0);
		form.setContent("&".repeat(MEGABYTE).getBytes(StandardCharsets.US_ASCII));
		assertThat(cost(form)).isLessThan((long) MAX_PER_BYTE * MEGABYTE + CONSTANT);
	}

	@Test
	void refusesTooManyValuesAtBoundedCost() {
		RequestFingerprint bounded = fingerprints(1_000);
		byte[] body = ("[" + "1,".repeat(MEGABYTE / 2) + "1]").getBytes(StandardCharsets.UTF_8);
		// The first call loads classes.
		refusesAsTooLarge(bounded, body);
		long before = THREADS.getCurrentThreadAllocatedBytes();
		refusesAsTooLarge(bounded, body);
		// The body and its characters.
		assertThat(THREADS.getCurrentThreadAllocatedBytes() - before).isLessThan(5L * MEGABYTE);
	}

	private static void refusesAsTooLarge(RequestFingerprint bounded, byte[] body) {
		assertThatExceptionOfType(SubmissionRefusedException.class).isThrownBy(() -> take(bounded, json(body)))
			.matches((refused) -> refused.refusal() == Refusal.BODY_TOO_LARGE);
	}

	private static String generated(Random random) {
		int depth = random.nextInt(490);
		int width = random.nextInt(1 + 20_000 / (depth + 1));
		StringBuilder text = new StringBuilder();
		StringBuilder end = new StringBuilder();
		for (int level = 0; level < depth; level++) {
			boolean object = random.nextBoolean();
			text.append(object ? '{' : '[');
			end.insert(0, object ? '}' : ']');
			for (int i = 0; i < width; i++) {
				text.append(object ? name(random) : "").append(leaf(random)).append(',');
			}
			text.append(object ? name(random) : "");
		}
		return text.append(leaf(random)).append(end).toString();
	}

	private static String name(Random random) {
		return "\"" + "n".repeat(random.nextInt(4)) + random.nextInt(100) + "\":";
	}

	private static String leaf(Random random) {
		return switch (random.nextInt(8)) {
			case 0 -> "{}";
			case 1 -> "[]";
			case 2 -> "\"" + "x".repeat(random.nextInt(200)) + "\"";
			case 3 -> "\"" + "\\u00e9".repeat(random.nextInt(20)) + "\"";
			case 4 -> "1".repeat(1 + random.nextInt(100));
			case 5 -> "\"\\ud800\"";
			default -> "1";
		};
	}

	private static MockHttpServletRequest json(byte[] body) {
		MockHttpServletRequest request = request("application/json");
		request.setContent(body);
		return request;
	}

	private static MockHttpServletRequest request(String type) {
		MockHttpServletRequest request = new MockHttpServletRequest("POST", "/orders");
		request.setContentType(type);
		return request;
	}

	private static MockHttpServletRequest manyFields(int count) {
		MockHttpServletRequest request = request("application/x-www-form-urlencoded");
		IntStream.range(0, count).forEach((i) -> request.addParameter("field" + i, "v"));
		return request;
	}

	private static MockHttpServletRequest manyValues(int count) {
		MockHttpServletRequest request = request("application/x-www-form-urlencoded");
		request.addParameter("field", IntStream.range(0, count).mapToObj(Integer::toString).toArray(String[]::new));
		return request;
	}

	private static MockHttpServletRequest manyQueryFields(int count) {
		MockHttpServletRequest request = json(new byte[0]);
		request
			.setQueryString(IntStream.range(0, count).mapToObj((i) -> "f" + i + "=1").collect(Collectors.joining("&")));
		return request;
	}

	private static MockHttpServletRequest manyParts(int count) {
		MockHttpServletRequest request = request("multipart/form-data; boundary=b");
		IntStream.range(0, count).forEach((i) -> request.addPart(new MockPart("part" + i, new byte[1])));
		return request;
	}

	private long cost(MockHttpServletRequest request) {
		long before = THREADS.getCurrentThreadAllocatedBytes();
		take(this.fingerprints, request);
		return THREADS.getCurrentThreadAllocatedBytes() - before;
	}

	private static void take(RequestFingerprint fingerprints, MockHttpServletRequest request) {
		try {
			CachedBodyRequest cached = new CachedBodyRequest(request);
			fingerprints.of(cached, cached, operation());
		}
		catch (RuntimeException ex) {
			throw ex;
		}
		catch (Exception ex) {
			throw new IllegalStateException(ex);
		}
	}

	private static RequestFingerprint fingerprints(long maxTokens) {
		return new RequestFingerprint(
				new HttpSettings("shop", "Idempotency-Key", "Idempotent-Token", "_idempotentToken", List.of(),
						4 * MEGABYTE, 1000, false, "urn:", IdempotencyProfile.IDEMPOTENT.protocol()),
				maxTokens);
	}

	private static Operation operation() {
		Duration time = Duration.ofMinutes(1);
		OperationPolicy policy = new OperationPolicy("order", time, time, time, WhenCompleted.REPLAY,
				WhenInProgress.REJECT, WhenUnknown.RERUN, WhenFailed.RELEASE, WhenStoreFails.REJECT, false, false, "");
		return new Operation(HostileBodyTests.class.getDeclaredMethods()[0],
				AnnotationUtils.synthesizeAnnotation(Map.of(), ApiIdempotent.class, null), policy, KeySource.HEADER,
				null, null, ComparedFields.ALL, new ErrorStatuses(List.of()), false, null);
	}

}
