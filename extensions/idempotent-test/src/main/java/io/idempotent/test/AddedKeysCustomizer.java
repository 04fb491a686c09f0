package io.idempotent.test;

import java.util.List;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.test.util.TestPropertyValues;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.test.context.ContextConfigurationAttributes;
import org.springframework.test.context.ContextCustomizer;
import org.springframework.test.context.ContextCustomizerFactory;
import org.springframework.test.context.MergedContextConfiguration;
import org.springframework.test.context.TestContextAnnotationUtils;

/**
 * Sets {@code idempotent.test.add-keys} to {@link AutoConfigureIdempotency#addKeys()},
 * which thereby wins over the property of an application. {@code @PropertyMapping} does
 * the same, but is in another package before Spring Boot 4.
 */
record AddedKeysCustomizer(boolean addKeys) implements ContextCustomizer {

	@Override
	public void customizeContext(ConfigurableApplicationContext context, MergedContextConfiguration configuration) {
		TestPropertyValues.of("idempotent.test.add-keys=" + this.addKeys).applyTo(context);
	}

	static final class Factory implements ContextCustomizerFactory {

		@Override
		public @Nullable ContextCustomizer createContextCustomizer(Class<?> testClass,
				List<ContextConfigurationAttributes> attributes) {
			AutoConfigureIdempotency annotation = TestContextAnnotationUtils.findMergedAnnotation(testClass,
					AutoConfigureIdempotency.class);
			return (annotation != null) ? new AddedKeysCustomizer(annotation.addKeys()) : null;
		}

	}

}
