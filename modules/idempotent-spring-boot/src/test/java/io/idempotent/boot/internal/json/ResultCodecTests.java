package io.idempotent.boot.internal.json;

import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZonedDateTime;
import java.util.List;
import java.util.Map;
import java.util.TimeZone;

import com.fasterxml.jackson.annotation.JsonFormat;
import com.fasterxml.jackson.annotation.JsonInclude;
import io.idempotent.method.json.CallJson;
import io.idempotent.method.json.ResultCodec;
import io.idempotent.store.Outcome;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.core.JsonGenerator;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.SerializationContext;
import tools.jackson.databind.ValueSerializer;
import tools.jackson.databind.annotation.JsonSerialize;
import tools.jackson.databind.cfg.DateTimeFeature;
import tools.jackson.databind.cfg.EnumFeature;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * The bytes of stored results.
 */
@ExtendWith(OutputCaptureExtension.class)
class ResultCodecTests {

	private final CallJson json = new JacksonCallJson(JsonMapper.builder().build());

	@Test
	void aResultIsAVersionAndItsJson() {
		assertThat(stored(codec(100), "a")).isEqualTo(bytes("\u0001\"a\""));
	}

	@Test
	void nullIsAVersionAlone() {
		assertThat(stored(codec(100), null)).isEqualTo(bytes("\u0001"));
		assertThat(codec(100).decode(bytes("\u0001"))).isNull();
	}

	@Test
	void theLimitIncludesTheVersion() {
		assertThat(codec(4).encode("a", "op")).isInstanceOf(Outcome.Stored.class);
		assertThat(codec(3).encode("a", "op")).isEqualTo(Outcome.TOMBSTONE);
		assertThat(codec(0).encode(null, "op")).as("the call is not failed by its result").isEqualTo(Outcome.TOMBSTONE);
	}

	@Test
	void aCyclicResultBecomesATombstone() {
		ResultCodec codec = new ResultCodec(this.json.resultType(Node.class), 1_000_000);
		Node node = new Node();
		node.setNext(node);
		assertThat(codec.encode(node, "op")).isEqualTo(Outcome.TOMBSTONE);
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "\u0000", "\u0002\"a\"", "\u0001{", "\u0001{}", "\u0001[1]", "\"a\"" })
	void otherVersionsAndForeignBytesAreUnreadable(String stored) {
		assertThatExceptionOfType(RuntimeException.class).isThrownBy(() -> codec(100).decode(bytes(stored)));
	}

	@Test
	void aPropertyThatTheClassNoLongerHasIsLeftOut() {
		ResultCodec codec = new ResultCodec(this.json.resultType(Version2.class), 100);
		assertThat(codec.decode(bytes("\u0001{\"a\":1,\"b\":2}"))).isEqualTo(new Version2(1));
	}

	@Test
	void aPropertyThatTheClassHasNowIsAbsent() {
		ResultCodec codec = new ResultCodec(new JacksonCallJson(JsonMapper.builder()
			.enable(DeserializationFeature.FAIL_ON_MISSING_CREATOR_PROPERTIES,
					DeserializationFeature.FAIL_ON_NULL_CREATOR_PROPERTIES)
			.build()).resultType(Version3.class), 100);
		assertThat(codec.decode(bytes("\u0001{\"a\":1}"))).isEqualTo(new Version3(1, 0, null));
	}

	@Test
	void settingsOfAnApiDoNotChangeAResult() {
		Parcel parcel = new Parcel("", List.of(), Map.of(Size.LARGE, Size.SMALL));
		JsonMapper ofAnApi = JsonMapper.builder()
			.propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
			.changeDefaultPropertyInclusion((always) -> always.withValueInclusion(JsonInclude.Include.NON_EMPTY))
			.enable(EnumFeature.WRITE_ENUMS_TO_LOWERCASE, EnumFeature.WRITE_ENUMS_USING_INDEX,
					EnumFeature.WRITE_ENUM_KEYS_USING_INDEX)
			.build();
		ResultCodec before = new ResultCodec(this.json.resultType(Parcel.class), 100);
		ResultCodec after = new ResultCodec(new JacksonCallJson(ofAnApi).resultType(Parcel.class), 100);
		assertThat(after.decode(stored(before, parcel))).isEqualTo(parcel);
		assertThat(before.decode(stored(after, parcel))).isEqualTo(parcel);
	}

	@Test
	void aPropertyOfAnotherTypeIsUnreadable() {
		ResultCodec codec = new ResultCodec(this.json.resultType(Version2.class), 100);
		assertThatExceptionOfType(RuntimeException.class)
			.isThrownBy(() -> codec.decode(bytes("\u0001{\"a\":\"text\"}")));
	}

	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	void datesComeBackWithTheirOffsetAndZone(boolean timestamps) {
		CallJson ofTheApplication = new JacksonCallJson(JsonMapper.builder()
			.configure(DateTimeFeature.WRITE_DATES_AS_TIMESTAMPS, timestamps)
			.defaultTimeZone(TimeZone.getTimeZone("Asia/Tokyo"))
			.build());
		ResultCodec codec = new ResultCodec(ofTheApplication.resultType(Dates.class), 1000);
		Dates dates = new Dates(ZonedDateTime.parse("2026-03-29T03:30:00.123456789+02:00[Europe/Berlin]"),
				OffsetDateTime.parse("2026-01-01T00:00:00+05:30"), Instant.parse("2026-01-01T00:00:00.1Z"),
				LocalDate.parse("2026-01-01"));
		assertThat(codec.decode(((Outcome.Stored) codec.encode(dates, "op")).answer())).isEqualTo(dates);
	}

	@Test
	void constantsWithOneTextAreToldApart() {
		ResultCodec codec = new ResultCodec(this.json.resultType(Size.class), 100);
		assertThat(codec.decode(stored(codec, Size.LARGE))).isEqualTo(Size.LARGE);
	}

	@Test
	void keysTellConstantsWithOneTextApart() {
		assertThat(this.json.writeKey(List.of("order", Size.LARGE))).isEqualTo(bytes("[\"order\",\"LARGE\"]"));
		assertThat(this.json.writeKey(Map.of(Size.LARGE, 1))).isEqualTo(bytes("{\"LARGE\":1}"));
	}

	@Test
	void amountsInATreeKeepTheirDigits() {
		JsonNode tree = JsonMapper.builder()
			.build()
			.createObjectNode()
			.put("price", new BigDecimal("10.00"))
			.put("rate", new BigDecimal("0.12345678901234567890"));
		ResultCodec codec = new ResultCodec(this.json.resultType(JsonNode.class), 100);
		assertThat(codec.decode(stored(codec, tree))).isEqualTo(tree);
	}

	@Test
	void aResultThatCannotBeReadIsReportedWhenItIsStored(CapturedOutput output) {
		stored(new ResultCodec(this.json.resultType(Day.class), 100),
				new Day(LocalDateTime.parse("2026-01-01T10:11:12")));
		assertThat(output).contains("Each repeat of operation 'op' will be refused as record-unreadable")
			.contains("whenCompleted = REJECT");
	}

	@Test
	void aResultThatIsReadAsAnotherOneIsReportedOnce(CapturedOutput output) {
		ResultCodec codec = new ResultCodec(this.json.resultType(Masked.class), 100);
		stored(codec, new Masked("13812345678"));
		stored(codec, new Masked("13812345678"));
		assertThat(output.toString().split("A repeat of operation 'op' gets another result", -1)).hasSize(2);
	}

	@Test
	void aResultThatIsReadAsItWasWrittenIsNotReported(CapturedOutput output) {
		stored(new ResultCodec(this.json.resultType(Node.class), 100), new Node());
		stored(new ResultCodec(this.json.resultType(byte[][].class), 100), new byte[][] { { 1 } });
		assertThat(output).doesNotContain("repeat");
	}

	private ResultCodec codec(int maxLength) {
		return new ResultCodec(this.json.resultType(String.class), maxLength);
	}

	private static byte[] stored(ResultCodec codec, @Nullable Object result) {
		return ((Outcome.Stored) codec.encode(result, "op")).answer();
	}

	private static byte[] bytes(String text) {
		return text.getBytes(StandardCharsets.UTF_8);
	}

	record Dates(ZonedDateTime zoned, OffsetDateTime offset, Instant instant, LocalDate day) {
	}

	/** Its time of day is not written. */
	record Day(@JsonFormat(pattern = "yyyy-MM-dd") LocalDateTime born) {
	}

	record Masked(@JsonSerialize(using = Mask.class) String phone) {
	}

	static class Mask extends ValueSerializer<String> {

		@Override
		public void serialize(String value, JsonGenerator json, SerializationContext context) {
			json.writeString(value.substring(0, 3) + "****");
		}

	}

	record Version2(int a) {
	}

	record Version3(int a, int b, @Nullable String c) {
	}

	record Parcel(String parcelNote, List<String> teas, Map<Size, Size> sizes) {
	}

	static class Node {

		private @Nullable Node next;

		public @Nullable Node getNext() {
			return this.next;
		}

		public void setNext(Node next) {
			this.next = next;
		}

	}

	enum Size {

		SMALL, LARGE;

		@Override
		public String toString() {
			return "size";
		}

	}

}
