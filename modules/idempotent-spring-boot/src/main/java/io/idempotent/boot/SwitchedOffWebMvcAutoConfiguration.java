package io.idempotent.boot;

import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;

import io.idempotent.IdempotencyContext;
import io.idempotent.boot.settings.PropertyAssertions;
import io.idempotent.support.Digest;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.core.MethodParameter;
import org.springframework.web.bind.support.WebDataBinderFactory;
import org.springframework.web.context.request.NativeWebRequest;
import org.springframework.web.method.support.HandlerMethodArgumentResolver;
import org.springframework.web.method.support.ModelAndViewContainer;
import org.springframework.web.servlet.DispatcherServlet;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;

/**
 * Auto-configuration for {@code idempotent.enabled=false}: handler methods with an
 * {@link IdempotencyContext} parameter still work.
 */
@AutoConfiguration
@ConditionalOnClass({ DispatcherServlet.class, IdempotencyContext.class })
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
@ConditionalOnBooleanProperty(name = "idempotent.enabled", havingValue = false)
public final class SwitchedOffWebMvcAutoConfiguration {

	@Bean("io.idempotent.switchedOffIdempotencyWebMvcConfigurer")
	WebMvcConfigurer switchedOffIdempotencyWebMvcConfigurer() {
		return new WebMvcConfigurer() {

			@Override
			public void addArgumentResolvers(List<HandlerMethodArgumentResolver> resolvers) {
				resolvers.add(new ContextArgumentResolver());
			}

		};
	}

	private static final class ContextArgumentResolver implements HandlerMethodArgumentResolver {

		@Override
		public boolean supportsParameter(MethodParameter parameter) {
			return parameter.getParameterType() == IdempotencyContext.class;
		}

		@Override
		public Object resolveArgument(MethodParameter parameter, @Nullable ModelAndViewContainer container,
				NativeWebRequest request, @Nullable WebDataBinderFactory binders) {
			return new SwitchedOffContext(
					parameter.getContainingClass().getSimpleName() + '.' + parameter.getExecutable().getName());
		}

	}

	/** Each request is a separate operation with a random key. Nothing is recorded. */
	record SwitchedOffContext(String operation, String key) implements IdempotencyContext {

		SwitchedOffContext(String operation) {
			this(operation, digest(UUID.randomUUID().toString(), ""));
		}

		@Override
		public String derivedKey(String purpose) {
			return digest(this.key, purpose);
		}

		private static String digest(String first, String second) {
			return Digest.sha256().add(first).add(second).build().encoded();
		}

		@Override
		public int attempt() {
			return 0;
		}

		@Override
		public boolean isReplay() {
			return false;
		}

		@Override
		public boolean isClaimLost() {
			return false;
		}

		@Override
		public <T extends @Nullable Object> Callable<T> wrap(Callable<T> task) {
			return task;
		}

		@Override
		public void doNotStoreAnswer() {
		}

		@Override
		public void retainFor(Duration retention) {
			if (!PropertyAssertions.isPositive(retention)) {
				throw new IllegalArgumentException("The retention " + retention + " is not positive");
			}
		}

	}

}
