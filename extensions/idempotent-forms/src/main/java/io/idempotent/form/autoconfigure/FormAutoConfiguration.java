package io.idempotent.form.autoconfigure;

import java.util.function.UnaryOperator;

import io.idempotent.boot.IdempotencyWebMvcAutoConfiguration;
import io.idempotent.form.PlainFormDialect;
import io.idempotent.form.TokenFieldProcessor;
import io.idempotent.webmvc.internal.HttpIdempotency;
import org.thymeleaf.dialect.AbstractProcessorDialect;
import org.thymeleaf.web.servlet.IServletWebExchange;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Role;
import org.springframework.web.servlet.support.RequestDataValueProcessor;

/**
 * Auto-configuration for tokens in the forms of Thymeleaf, with {@code th:action} or
 * without, and of Spring's JSP tags. Spring MVC looks for one processor by its name,
 * which Spring Security uses as well: a processor that is there already is kept, and
 * called by the one of this configuration.
 */
@AutoConfiguration(after = IdempotencyWebMvcAutoConfiguration.class,
		afterName = { "org.springframework.boot.security.autoconfigure.web.servlet.ServletWebSecurityAutoConfiguration",
				"org.springframework.boot.autoconfigure.security.servlet.SecurityAutoConfiguration" })
@ConditionalOnClass({ RequestDataValueProcessor.class, HttpIdempotency.class })
@ConditionalOnBean(HttpIdempotency.class)
@ConditionalOnBooleanProperty(name = "idempotent.web.forms.enabled", matchIfMissing = true)
@EnableConfigurationProperties(FormProperties.class)
public final class FormAutoConfiguration {

	@Bean(TokenFieldProcessor.BEAN_NAME)
	@ConditionalOnMissingBean(name = TokenFieldProcessor.BEAN_NAME)
	RequestDataValueProcessor requestDataValueProcessor(HttpIdempotency idempotency, FormProperties properties) {
		return new TokenFieldProcessor(idempotency, properties.secretFields(), null);
	}

	@Bean("io.idempotent.idempotencyFormProcessorDecorator")
	@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
	static FormProcessorDecorator idempotencyFormProcessorDecorator(ObjectProvider<HttpIdempotency> idempotency,
			ObjectProvider<FormProperties> properties) {
		return new FormProcessorDecorator((processor) -> new TokenFieldProcessor(idempotency.getObject(),
				properties.getObject().secretFields(), processor));
	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass({ AbstractProcessorDialect.class, IServletWebExchange.class })
	static class ThymeleafConfiguration {

		@Bean("io.idempotent.idempotencyPlainFormDialect")
		PlainFormDialect idempotencyPlainFormDialect(
				@Qualifier(TokenFieldProcessor.BEAN_NAME) ObjectProvider<RequestDataValueProcessor> fields) {
			return new PlainFormDialect(fields::getIfAvailable);
		}

	}

	/** Puts the processor of tokens in front of one that is there already. */
	static final class FormProcessorDecorator implements BeanPostProcessor {

		private final UnaryOperator<RequestDataValueProcessor> decorator;

		FormProcessorDecorator(UnaryOperator<RequestDataValueProcessor> decorator) {
			this.decorator = decorator;
		}

		@Override
		public Object postProcessAfterInitialization(Object bean, String beanName) {
			return (beanName.equals(TokenFieldProcessor.BEAN_NAME)
					&& bean instanceof RequestDataValueProcessor processor && !(bean instanceof TokenFieldProcessor))
							? this.decorator.apply(processor) : bean;
		}

	}

}
