package io.idempotent.client.autoconfigure;

import io.idempotent.IdempotencyContext;
import io.idempotent.IdempotencyTemplate;
import io.idempotent.boot.settings.PropertyAssertions;
import io.idempotent.client.DerivedKeyProcessor;
import io.idempotent.client.DerivedKeys;
import io.idempotent.client.IdempotentClientInterceptor;
import io.idempotent.client.IdempotentClientSettings;
import io.idempotent.client.IdempotentExchangeFilterFunction;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;
import org.springframework.web.reactive.function.client.ExchangeFilterFunction;

/**
 * Auto-configuration for clients. Its beans do nothing until the application adds them to
 * a client: no client starts to repeat calls by itself.
 */
@AutoConfiguration
@ConditionalOnClass(PropertyAssertions.class)
@EnableConfigurationProperties(IdempotentClientProperties.class)
public final class IdempotentClientAutoConfiguration {

	@Bean("io.idempotent.idempotentClientSettings")
	@ConditionalOnMissingBean
	IdempotentClientSettings idempotentClientSettings(IdempotentClientProperties properties) {
		return properties.settings();
	}

	@Bean("io.idempotent.idempotentClientInterceptor")
	@ConditionalOnMissingBean
	IdempotentClientInterceptor idempotentClientInterceptor(IdempotentClientSettings settings) {
		return new IdempotentClientInterceptor(settings);
	}

	@Bean("io.idempotent.derivedKeyProcessor")
	@ConditionalOnBean(DerivedKeys.class)
	@ConditionalOnMissingBean
	DerivedKeyProcessor derivedKeyProcessor(DerivedKeys keys, IdempotentClientSettings settings) {
		return new DerivedKeyProcessor(keys, settings);
	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(ExchangeFilterFunction.class)
	static class WebClientConfiguration {

		@Bean("io.idempotent.idempotentExchangeFilterFunction")
		@ConditionalOnMissingBean
		IdempotentExchangeFilterFunction idempotentExchangeFilterFunction(IdempotentClientSettings settings) {
			return new IdempotentExchangeFilterFunction(settings);
		}

	}

	/** For an application that has idempotent operations itself. */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(IdempotencyContext.class)
	static class DerivedKeysConfiguration {

		@Bean("io.idempotent.derivedKeys")
		@ConditionalOnMissingBean
		DerivedKeys derivedKeys(ObjectProvider<IdempotencyTemplate> template, Environment environment) {
			return new OperationDerivedKeys(template,
					environment.getProperty("idempotent.enabled", Boolean.class, true));
		}

	}

}
