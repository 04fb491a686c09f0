package io.idempotent.autoconfigure;

import java.time.Duration;
import java.util.function.UnaryOperator;

import io.idempotent.ApiIdempotent;
import io.idempotent.KeySource;
import io.idempotent.WhenCompleted;
import io.idempotent.WhenFailed;
import io.idempotent.WhenInProgress;
import io.idempotent.WhenStoreFails;
import io.idempotent.WhenUnknown;
import io.idempotent.autoconfigure.IdempotentProperties.Defaults;
import io.idempotent.store.OperationPolicy;
import io.idempotent.web.OperationPolicies;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.convert.DurationStyle;

/**
 * Fills in what an annotation leaves open: the operation's own properties win, then the
 * annotation, then the defaults.
 */
final class PropertiesOperationPolicies implements OperationPolicies {

	private static final OperationProperties NONE = new OperationProperties();

	private final IdempotentProperties properties;

	private final UnaryOperator<String> placeholders;

	PropertiesOperationPolicies(IdempotentProperties properties, UnaryOperator<String> placeholders) {
		this.properties = properties;
		this.placeholders = placeholders;
	}

	@Override
	public OperationPolicy policy(String operation, ApiIdempotent annotation) {
		OperationProperties own = own(operation);
		Defaults defaults = this.properties.getDefaults();
		return new OperationPolicy(operation, time("lease", own.getLease(), annotation.lease(), defaults.getLease()),
				time("retention", own.getRetention(), annotation.retention(), defaults.getRetention()),
				time("waitTimeout", own.getWaitTimeout(), annotation.waitTimeout(), defaults.getWaitTimeout()),
				choose(own.getWhenCompleted(), annotation.whenCompleted(), WhenCompleted.DEFAULT,
						defaults.getWhenCompleted()),
				choose(own.getWhenInProgress(), annotation.whenInProgress(), WhenInProgress.DEFAULT,
						defaults.getWhenInProgress()),
				choose(own.getWhenUnknown(), annotation.whenUnknown(), WhenUnknown.DEFAULT, defaults.getWhenUnknown()),
				choose(own.getWhenFailed(), annotation.whenFailed(), WhenFailed.DEFAULT, defaults.getWhenFailed()),
				choose(own.getWhenStoreFails(), annotation.whenStoreFails(), WhenStoreFails.DEFAULT,
						defaults.getWhenStoreFails()));
	}

	@Override
	public KeySource source(String operation, ApiIdempotent annotation) {
		KeySource declared = annotation.value();
		if (!annotation.key().isEmpty()) {
			if (declared == KeySource.TOKEN || declared == KeySource.HEADER) {
				throw new IllegalArgumentException("it has a key expression, which makes the content its key, and "
						+ declared + " as the source of its key: choose one");
			}
			return KeySource.CONTENT;
		}
		KeySource source = choose(own(operation).getSource(), declared, KeySource.DEFAULT,
				this.properties.getDefaults().getSource());
		if (source == KeySource.DEFAULT) {
			throw new IllegalArgumentException("idempotent.defaults.source is DEFAULT, which stands for itself: "
					+ "choose token, header or content");
		}
		return source;
	}

	@Override
	public String resolve(String text) {
		return this.placeholders.apply(text);
	}

	private OperationProperties own(String operation) {
		return this.properties.getOperations().getOrDefault(operation, NONE);
	}

	private Duration time(String attribute, @Nullable Duration own, String declared, Duration byDefault) {
		if (own != null) {
			return own;
		}
		String text = resolve(declared);
		if (text.isEmpty()) {
			return byDefault;
		}
		try {
			return DurationStyle.detectAndParse(text);
		}
		catch (IllegalArgumentException ex) {
			throw new IllegalArgumentException(
					"its " + attribute + " \"" + text + "\" is no time: write it as 30s, 24h or PT30S", ex);
		}
	}

	private static <E extends Enum<E>> E choose(@Nullable E own, E declared, E undecided, E byDefault) {
		if (own != null && own != undecided) {
			return own;
		}
		return (declared != undecided) ? declared : byDefault;
	}

}
