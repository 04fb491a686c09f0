package io.idempotent.boot.internal.policy;

import java.util.AbstractMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;

import io.idempotent.ApiIdempotent;
import io.idempotent.administration.OperationCatalog.Description;
import io.idempotent.boot.internal.policy.PolicySettings.Setting;
import io.idempotent.boot.internal.properties.IdempotentProperties;
import io.idempotent.engine.policy.DeclaredPolicy;
import org.junit.jupiter.api.Test;

import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.env.OriginTrackedMapPropertySource;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.util.ReflectionUtils;

import static org.assertj.core.api.Assertions.assertThat;

class PolicySettingsTests {

	private static final int OPERATIONS = 100;

	private final AtomicInteger readings = new AtomicInteger();

	@Test
	void propertyNamesAreReadOnceForAllOperations() {
		StandardEnvironment environment = new StandardEnvironment();
		Map<String, Object> properties = new HashMap<>(Map.of("idempotent.defaults.lease", "40s"));
		for (int i = 0; i < OPERATIONS; i++) {
			properties.put("idempotent.operations.op" + i + ".retention", "2h");
		}
		environment.getPropertySources()
			.addFirst(
					new OriginTrackedMapPropertySource("file", new CountedProperties(properties, this.readings), true));
		PolicySettings settings = new PolicySettings(policies(environment), environment);
		for (int i = 0; i < OPERATIONS; i++) {
			assertThat(settings.of(operation("op" + i))).extracting(Setting::source)
				.contains("idempotent.defaults.lease", "idempotent.operations.op" + i + ".retention");
		}
		assertThat(this.readings).hasValueLessThan(10);
	}

	private static PropertiesOperationPolicies policies(StandardEnvironment environment) {
		IdempotentProperties properties = Binder.get(environment)
			.bindOrCreate("idempotent", IdempotentProperties.class);
		return new PropertiesOperationPolicies(properties, environment, () -> null, () -> true);
	}

	private static Description operation(String name) {
		ApiIdempotent annotation = AnnotatedElementUtils
			.findMergedAnnotation(ReflectionUtils.findMethod(Annotated.class, "operation"), ApiIdempotent.class);
		return new Description(name, "TOKEN", null, List.of("POST /" + name), DeclaredPolicy.of(annotation),
				annotation);
	}

	interface Annotated {

		@ApiIdempotent
		void operation();

	}

	/**
	 * The content of a file, which counts how often its names are read.
	 */
	private static final class CountedProperties extends AbstractMap<String, Object> {

		private final Map<String, Object> properties;

		private final AtomicInteger readings;

		CountedProperties(Map<String, Object> properties, AtomicInteger readings) {
			this.properties = properties;
			this.readings = readings;
		}

		@Override
		public Object get(Object name) {
			return this.properties.get(name);
		}

		@Override
		public Set<String> keySet() {
			this.readings.incrementAndGet();
			return this.properties.keySet();
		}

		@Override
		public Set<Entry<String, Object>> entrySet() {
			return this.properties.entrySet();
		}

	}

}
