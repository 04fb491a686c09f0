package io.idempotent.versions;

import java.io.File;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.InetAddress;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.sql.Timestamp;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.Month;
import java.time.MonthDay;
import java.time.OffsetDateTime;
import java.time.OffsetTime;
import java.time.Period;
import java.time.Year;
import java.time.YearMonth;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.Arrays;
import java.util.Calendar;
import java.util.Currency;
import java.util.Date;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.TimeZone;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;

/**
 * Values of the types that the generations of Jackson might write in different ways.
 */
record Sale(String article, List<Object> values, Optional<String> note, OptionalInt rank, Kind kind,
		Map<Kind, Integer> counts, boolean isGift, String absent) {

	private static final ZonedDateTime TIME = ZonedDateTime.of(2026, 11, 29, 4, 5, 0, 789_000_000,
			ZoneId.of("Asia/Shanghai"));

	static Sale of(String article) {
		Calendar calendar = Calendar.getInstance(TimeZone.getTimeZone("Asia/Shanghai"), Locale.ROOT);
		calendar.setTimeInMillis(TIME.toInstant().toEpochMilli());
		List<Object> values = Arrays.asList(new BigDecimal("12.340"), new BigDecimal("1E+3"), BigInteger.TEN, 0.1,
				1e10f, 1e300, Double.NaN, Long.MAX_VALUE, 'c', true, null, Kind.LARGE, TimeUnit.SECONDS, new UUID(1, 2),
				URI.create("https://shop.example/tea?a=b"), Locale.forLanguageTag("zh-Hant-TW"),
				Currency.getInstance("EUR"), new byte[] { 1, -2, 3 }, new char[] { 'a', 'é' }, new int[] { 1 },
				ByteBuffer.wrap(new byte[] { 4 }), new AtomicInteger(5), Pattern.compile("a*"), Sale.class,
				new File("/tmp/file"), Path.of("/tmp/path"), InetAddress.getLoopbackAddress(), Optional.of(1),
				Optional.empty(), OptionalLong.of(7), OptionalDouble.of(0.5), TimeZone.getTimeZone("Asia/Shanghai"),
				TIME.toInstant(), Instant.EPOCH, Date.from(TIME.toInstant()), Timestamp.from(TIME.toInstant()),
				calendar, TIME.toLocalDate(), TIME.toLocalTime(), LocalTime.NOON, TIME.toLocalDateTime(),
				LocalDateTime.of(2026, 1, 2, 3, 4), TIME.toOffsetDateTime(), TIME,
				OffsetTime.of(LocalTime.NOON, ZoneOffset.UTC), YearMonth.from(TIME), Year.from(TIME),
				MonthDay.from(TIME), Month.MAY, DayOfWeek.MONDAY, Duration.ofMillis(90_500), Period.ofDays(3),
				TIME.getZone(), ZoneOffset.ofHours(8), List.of(Map.of(TIME.toLocalDate(), TIME.toOffsetDateTime())),
				Map.of(Date.from(TIME.toInstant()), 1), Map.of(Locale.CHINA, 1), Map.of(Month.MAY, 1),
				Map.of(Kind.LARGE, Kind.SMALL), Map.of(new UUID(3, 4), 1), new Goods());
		return new Sale(article, values, Optional.of("gift"), OptionalInt.empty(), Kind.LARGE, Map.of(Kind.SMALL, 2),
				true, null);
	}

	/** One whose text is not its name. */
	enum Kind {

		SMALL, LARGE;

		@Override
		public String toString() {
			return name().toLowerCase(Locale.ROOT);
		}

	}

	/** The result, which both generations read. */
	record Sold(String article, BigDecimal price, Instant at, LocalDate day, OffsetDateTime due, Duration guarantee,
			Optional<String> note, List<UUID> items, TimeUnit unit, Kind kind, Map<Kind, Kind> kinds) {

		static Sold of(String article) {
			return new Sold(article, new BigDecimal("12.340"), TIME.toInstant(), TIME.toLocalDate(),
					TIME.toOffsetDateTime(), Duration.ofDays(1), Optional.of("gift"), List.of(new UUID(1, 2)),
					TimeUnit.DAYS, Kind.LARGE, Map.of(Kind.SMALL, Kind.LARGE));
		}

	}

	/** With getters, and with a field that no getter shows. */
	static class Goods {

		public final String visible = "yes";

		private final String hidden = "no";

		public String getURL() {
			return "url";
		}

		public String get_code() {
			return "code";
		}

		public String getaName() {
			return "name";
		}

		public boolean isFragile() {
			return this.hidden.isEmpty();
		}

	}

}
