package io.idempotent.boot;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.core.NestedExceptionUtils;
import org.springframework.core.ResolvableType;

/**
 * Why a text is not a valid value of its property, and which values are. Omits the
 * constant {@code DEFAULT} of an enum, with which an annotation leaves the choice to a
 * property.
 *
 * @param reason why the text is invalid
 * @param action what to write instead
 */
record InvalidValue(String reason, String action) {

	private static final String DEFAULT = "DEFAULT";

	static InvalidValue of(BindException failure) {
		ResolvableType type = failure.getTarget().getType();
		Class<?> raw = type.resolve(Object.class);
		if (raw.isEnum()) {
			return ofEnum(raw);
		}
		if (raw == Duration.class) {
			return new InvalidValue("it is not a duration", "Write it as 300ms, 30s or 24h");
		}
		return new InvalidValue("it cannot be read: " + NestedExceptionUtils.getMostSpecificCause(failure).getMessage(),
				"Write a value of type " + raw.getSimpleName());
	}

	/**
	 * Explains a text that is not a constant of an enum.
	 * @param type the enum
	 * @return the reason and the constants
	 */
	static InvalidValue ofEnum(Class<?> type) {
		List<String> constants = Arrays.stream(type.getEnumConstants())
			.filter((constant) -> !constant.toString().equals(DEFAULT))
			.map(PropertyAssertions::text)
			.toList();
		return new InvalidValue("it is none of the values of this property",
				constants.stream().collect(Collectors.joining(", ", "Write one of ", "")));
	}

}
