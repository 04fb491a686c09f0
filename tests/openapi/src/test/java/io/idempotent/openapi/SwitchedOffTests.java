package io.idempotent.openapi;

import java.util.List;
import java.util.Locale;

import io.idempotent.boot.IdempotencyAutoConfiguration;
import io.idempotent.boot.IdempotencyWebMvcAutoConfiguration;
import io.idempotent.webmvc.ProblemRenderer;
import io.idempotent.webmvc.internal.HttpIdempotency;
import io.idempotent.webmvc.internal.refusal.ErrorDocument;
import org.junit.jupiter.api.Test;
import org.springdoc.core.customizers.GlobalOperationCustomizer;
import org.springdoc.core.customizers.OpenApiLocaleCustomizer;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.context.ApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * When operations are documented, and when not.
 */
class SwitchedOffTests {

	private final WebApplicationContextRunner runner = new WebApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(OpenApiAutoConfiguration.class, IdempotencyAutoConfiguration.class,
				IdempotencyWebMvcAutoConfiguration.class))
		.withPropertyValues("idempotent.store.type=local");

	@Test
	void operationsAreDocumentedWithSpringdoc() {
		this.runner.run((context) -> assertThat(context).hasSingleBean(GlobalOperationCustomizer.class)
			.hasSingleBean(OpenApiLocaleCustomizer.class));
	}

	@Test
	void nothingIsDocumentedWhereItIsSwitchedOff() {
		this.runner.withPropertyValues("idempotent.enabled=false")
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(OpenApiLocaleCustomizer.class));
	}

	@Test
	void nothingIsDocumentedWithoutSpringdoc() {
		this.runner.withClassLoader(new FilteredClassLoader("org.springdoc", "io.swagger"))
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(OpenApiAutoConfiguration.class));
	}

	@Test
	void theBeansOfTheApplicationComeFirst() {
		this.runner
			.withBean("io.idempotent.idempotentOperationMarker", GlobalOperationCustomizer.class,
					() -> (operation, handler) -> operation)
			.run((context) -> assertThat(context).hasSingleBean(GlobalOperationCustomizer.class));
	}

	@Test
	void noProblemIsDocumentedWhereTheApplicationRendersThem() {
		this.runner.run((context) -> assertThat(problems(context)).hasSize(1));
		this.runner.withBean(ProblemRenderer.class, () -> (refusal, request, response) -> response.setStatus(418))
			.run((context) -> assertThat(problems(context)).isEmpty());
	}

	private static List<ErrorDocument> problems(ApplicationContext context) {
		return new OperationDescriptions(context.getBean(HttpIdempotency.class), context)
			.problemsOfTokens(Locale.ENGLISH);
	}

}
