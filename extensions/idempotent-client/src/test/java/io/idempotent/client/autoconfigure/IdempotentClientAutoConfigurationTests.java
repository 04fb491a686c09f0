package io.idempotent.client.autoconfigure;

import java.time.Duration;

import io.idempotent.IdempotencyContext;
import io.idempotent.IdempotencyTemplate;
import io.idempotent.boot.IdempotencyAutoConfiguration;
import io.idempotent.boot.IdempotencyCallAutoConfiguration;
import io.idempotent.boot.settings.InvalidConfigurationException;
import io.idempotent.client.DerivedKeyProcessor;
import io.idempotent.client.DerivedKeys;
import io.idempotent.client.IdempotentClientInterceptor;
import io.idempotent.client.IdempotentClientSettings;
import io.idempotent.client.IdempotentExchangeFilterFunction;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.http.client.ClientHttpRequestInterceptor;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.web.context.request.RequestContextHolder;
import org.springframework.web.context.request.ServletRequestAttributes;
import org.springframework.web.reactive.function.client.ExchangeFilterFunction;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.mockito.BDDMockito.given;
import static org.mockito.Mockito.mock;

/**
 * The beans for clients, and the keys that are derived from a running operation.
 */
class IdempotentClientAutoConfigurationTests {

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(IdempotentClientAutoConfiguration.class));

	private final ApplicationContextRunner withOperations = this.runner
		.withConfiguration(
				AutoConfigurations.of(IdempotencyAutoConfiguration.class, IdempotencyCallAutoConfiguration.class))
		.withPropertyValues("idempotent.store.type=local");

	@AfterEach
	void resetRequest() {
		RequestContextHolder.resetRequestAttributes();
	}

	@Test
	void interceptorAndFilterAreRegistered() {
		this.runner.run((context) -> assertThat(context).hasSingleBean(IdempotentClientInterceptor.class)
			.hasSingleBean(IdempotentExchangeFilterFunction.class)
			.hasSingleBean(DerivedKeys.class)
			.hasSingleBean(DerivedKeyProcessor.class));
	}

	@Test
	void beansOfTheApplicationAreUsed() {
		IdempotentClientSettings own = IdempotentClientSettings.builder().build();
		this.runner.withBean(IdempotentClientSettings.class, () -> own)
			.run((context) -> assertThat(context.getBean(IdempotentClientSettings.class)).isSameAs(own));
	}

	@Test
	void anApplicationWithoutWebFluxHasTheInterceptor() {
		this.runner.withClassLoader(new FilteredClassLoader(ExchangeFilterFunction.class))
			.run((context) -> assertThat(context).hasSingleBean(ClientHttpRequestInterceptor.class)
				.doesNotHaveBean("io.idempotent.idempotentExchangeFilterFunction"));
	}

	@Test
	void anApplicationWithoutOperationsDerivesNothing() {
		this.runner.withClassLoader(new FilteredClassLoader(IdempotencyContext.class))
			.run((context) -> assertThat(context).hasSingleBean(IdempotentClientInterceptor.class)
				.doesNotHaveBean(DerivedKeys.class)
				.doesNotHaveBean(DerivedKeyProcessor.class));
	}

	@Test
	void propertiesAreApplied() {
		this.runner
			.withPropertyValues("idempotent.client.key-header=X-Key", "idempotent.client.retry.max-attempts=3",
					"idempotent.client.retry.timeout=7s")
			.run((context) -> assertThat(context.getBean(IdempotentClientSettings.class).keyHeader())
				.isEqualTo("X-Key"));
	}

	@Test
	void defaultsAreThoseOfTheClient() {
		this.runner.run((context) -> {
			IdempotentClientProperties.Retry retry = context.getBean(IdempotentClientProperties.class).retry();
			assertThat(retry.policy().getTimeout()).isEqualTo(Duration.ofSeconds(30));
			assertThat(retry.policy().getBackOff().toString())
				.isEqualTo(IdempotentClientSettings.defaultRetryPolicy().build().getBackOff().toString());
		});
	}

	@ParameterizedTest
	@ValueSource(strings = { "key-header=a b", "retry.max-attempts=0", "retry.timeout=0s" })
	void aValueThatCannotWorkFailsTheStart(String property) {
		this.runner.withPropertyValues("idempotent.client." + property)
			.run((context) -> assertThat(context).getFailure()
				.hasRootCauseInstanceOf(InvalidConfigurationException.class)
				.rootCause()
				.hasMessageContaining("idempotent.client." + property.substring(0, property.indexOf('='))));
	}

	@Test
	void keysAreDerivedFromTheRunningOperation() {
		this.withOperations.run((context) -> {
			DerivedKeys keys = context.getBean(DerivedKeys.class);
			context.getBean(IdempotencyTemplate.class).executeWithoutResult("order", 1, (run) -> {
				assertThat(keys.derive("charge")).isEqualTo(run.derivedKey("charge"));
				assertThat(keys.derive("mail")).isEqualTo(run.derivedKey("mail"));
			});
		});
	}

	@Test
	void theInnermostOperationCounts() {
		this.withOperations.run((context) -> {
			DerivedKeys keys = context.getBean(DerivedKeys.class);
			IdempotencyContext handler = handler();
			assertThat(keys.derive("charge")).isEqualTo("of the handler");
			context.getBean(IdempotencyTemplate.class)
				.executeWithoutResult("order", 1,
						(run) -> assertThat(keys.derive("charge")).isEqualTo(run.derivedKey("charge"))
							.isNotEqualTo(handler.derivedKey("charge")));
		});
	}

	@Test
	void aRunUsesAPurposeOnce() {
		this.withOperations.run((context) -> {
			DerivedKeys keys = context.getBean(DerivedKeys.class);
			context.getBean(IdempotencyTemplate.class).executeWithoutResult("order", 1, (run) -> {
				keys.derive("charge");
				assertThatIllegalStateException().isThrownBy(() -> keys.derive("charge"))
					.withMessageContaining("order")
					.withMessageContaining("'charge'");
			});
		});
	}

	@Test
	void theNextRunHasTheSameKeys() {
		this.withOperations.run((context) -> {
			DerivedKeys keys = context.getBean(DerivedKeys.class);
			IdempotencyTemplate template = context.getBean(IdempotencyTemplate.class);
			String[] first = new String[1];
			assertThatIllegalStateException().isThrownBy(() -> template.executeWithoutResult("order", 1, (run) -> {
				first[0] = keys.derive("charge");
				throw new IllegalStateException("crash");
			})).withMessage("crash");
			template.executeWithoutResult("order", 1, (run) -> assertThat(keys.derive("charge")).isEqualTo(first[0]));
		});
	}

	@Test
	void outsideOfAnOperationThereIsNoKey() {
		this.withOperations.run((context) -> assertThatIllegalStateException()
			.isThrownBy(() -> context.getBean(DerivedKeys.class).derive("charge"))
			.withMessageContaining("no idempotent operation runs on this thread"));
	}

	@Test
	void noKeyIsDerivedAfterTheRequestHasEnded() {
		this.withOperations.run((context) -> {
			handler();
			((ServletRequestAttributes) RequestContextHolder.currentRequestAttributes()).requestCompleted();
			assertThatIllegalStateException().isThrownBy(() -> context.getBean(DerivedKeys.class).derive("charge"))
				.withMessageContaining("no idempotent operation");
		});
	}

	@Test
	void keysAreRandomWhileTheLibraryIsSwitchedOff() {
		this.runner.withPropertyValues("idempotent.enabled=false").run((context) -> {
			DerivedKeys keys = context.getBean(DerivedKeys.class);
			assertThat(keys.derive("charge")).isNotEqualTo(keys.derive("charge"));
		});
	}

	private static IdempotencyContext handler() {
		IdempotencyContext handler = mock(IdempotencyContext.class);
		given(handler.operation()).willReturn("handler");
		given(handler.derivedKey("charge")).willReturn("of the handler");
		MockHttpServletRequest request = new MockHttpServletRequest();
		request.setAttribute(IdempotencyContext.ATTRIBUTE, handler);
		RequestContextHolder.setRequestAttributes(new ServletRequestAttributes(request));
		return handler;
	}

}
