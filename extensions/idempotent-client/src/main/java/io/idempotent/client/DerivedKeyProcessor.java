package io.idempotent.client;

import java.lang.reflect.Method;

import org.jspecify.annotations.Nullable;

import org.springframework.core.MethodParameter;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.web.service.invoker.HttpRequestValues;

/**
 * Derives the keys of {@code @HttpExchange} methods with {@link DerivedKey}. The key is
 * derived when the method is called, also if its result is a publisher.
 */
public final class DerivedKeyProcessor implements HttpRequestValues.Processor {

	private final DerivedKeys keys;

	private final String keyHeader;

	/** Creates a processor. Of the settings, it uses the name of the key header. */
	public DerivedKeyProcessor(DerivedKeys keys, IdempotentClientSettings settings) {
		this.keys = keys;
		this.keyHeader = settings.keyHeader();
	}

	@Override
	public void process(Method method, MethodParameter[] parameters, @Nullable Object[] arguments,
			HttpRequestValues.Builder builder) {
		DerivedKey derived = AnnotatedElementUtils.findMergedAnnotation(method, DerivedKey.class);
		if (derived != null) {
			builder.addHeader(this.keyHeader, this.keys.derive(derived.value()));
		}
	}

}
