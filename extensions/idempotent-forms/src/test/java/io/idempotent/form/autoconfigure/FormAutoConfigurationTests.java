package io.idempotent.form.autoconfigure;

import java.util.Map;

import io.idempotent.ApiIdempotent;
import io.idempotent.boot.IdempotencyAutoConfiguration;
import io.idempotent.boot.IdempotencyWebMvcAutoConfiguration;
import io.idempotent.form.TokenFieldProcessor;
import io.idempotent.webmvc.IdempotencyTokens;
import io.idempotent.webmvc.internal.HttpIdempotency;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.security.autoconfigure.SecurityAutoConfiguration;
import org.springframework.boot.security.autoconfigure.web.servlet.ServletWebSecurityAutoConfiguration;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.boot.webmvc.autoconfigure.WebMvcAutoConfiguration;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.security.web.csrf.CsrfToken;
import org.springframework.security.web.csrf.DefaultCsrfToken;
import org.springframework.security.web.servlet.support.csrf.CsrfRequestDataValueProcessor;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.servlet.support.RequestDataValueProcessor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.BDDMockito.given;
import static org.mockito.Mockito.mock;

class FormAutoConfigurationTests {

	private static final String BEAN = "requestDataValueProcessor";

	private final WebApplicationContextRunner runner = new WebApplicationContextRunner()
		.withPropertyValues("idempotent.store.type=local")
		.withConfiguration(AutoConfigurations.of(IdempotencyAutoConfiguration.class,
				IdempotencyWebMvcAutoConfiguration.class, FormAutoConfiguration.class, WebMvcAutoConfiguration.class));

	private final RequestDataValueProcessor own = mock();

	@Test
	void formsAreProcessed() {
		this.runner.run((context) -> {
			assertThat(context.getBean(BEAN)).isInstanceOf(TokenFieldProcessor.class);
			assertThat(context).hasSingleBean(RequestDataValueProcessor.class).hasSingleBean(IdempotencyTokens.class);
		});
	}

	@Test
	void springSecurityKeepsItsField() {
		this.runner
			.withConfiguration(
					AutoConfigurations.of(SecurityAutoConfiguration.class, ServletWebSecurityAutoConfiguration.class))
			.run((context) -> {
				RequestDataValueProcessor processor = context.getBean(BEAN, RequestDataValueProcessor.class);
				assertThat(processor).isInstanceOf(TokenFieldProcessor.class);
				MockHttpServletRequest request = new MockHttpServletRequest();
				request.setAttribute(CsrfToken.class.getName(), new DefaultCsrfToken("X-CSRF-TOKEN", "_csrf", "abc"));
				processor.processAction(request, "/orders", "post");
				assertThat(processor.getExtraHiddenFields(request)).containsExactly(Map.entry("_csrf", "abc"));
				processor.processAction(request, "/orders", "get");
				assertThat(processor.getExtraHiddenFields(request)).isEmpty();
			});
	}

	@Test
	@ExtendWith(OutputCaptureExtension.class)
	void pathsMatchedAsTextAreLogged(CapturedOutput output) {
		this.runner.withUserConfiguration(Orders.class)
			.withConfiguration(AutoConfigurations.of(AopAutoConfiguration.class))
			.withPropertyValues("spring.mvc.pathmatch.matching-strategy=ant_path_matcher")
			.run((context) -> {
				RequestDataValueProcessor processor = context.getBean(BEAN, RequestDataValueProcessor.class);
				MockHttpServletRequest request = new MockHttpServletRequest("GET", "/orders/new");
				processor.processAction(request, "/orders", "post");
				assertThat(processor.getExtraHiddenFields(request)).isNull();
				assertThat(output).containsOnlyOnce("Forms that submit [Orders.create] get no token by themselves");
			});
	}

	@Test
	void processorOfTheApplicationIsCalled() {
		MockHttpServletRequest request = new MockHttpServletRequest();
		given(this.own.processUrl(request, "/a")).willReturn("/a?own");
		given(this.own.processAction(request, "/a", "post")).willReturn("/a?own");
		given(this.own.processFormFieldValue(request, "name", "tea", "text")).willReturn("own tea");
		given(this.own.getExtraHiddenFields(request)).willReturn(null);
		this.runner.withBean(BEAN, RequestDataValueProcessor.class, () -> this.own).run((context) -> {
			RequestDataValueProcessor processor = context.getBean(BEAN, RequestDataValueProcessor.class);
			assertThat(processor.processUrl(request, "/a")).isEqualTo("/a?own");
			assertThat(processor.processAction(request, "/a", "post")).isEqualTo("/a?own");
			assertThat(processor.processFormFieldValue(request, "name", "tea", "text")).isEqualTo("own tea");
			assertThat(processor.getExtraHiddenFields(request)).isNull();
		});
	}

	@Test
	void canBeSwitchedOff() {
		this.runner.withPropertyValues("idempotent.web.forms.enabled=false")
			.withBean(BEAN, RequestDataValueProcessor.class, () -> this.own)
			.run((context) -> assertThat(context.getBean(BEAN)).isSameAs(this.own));
		this.runner.withPropertyValues("idempotent.web.forms.enabled=false")
			.run((context) -> assertThat(context).doesNotHaveBean(BEAN).hasSingleBean(IdempotencyTokens.class));
	}

	@Test
	void nothingIsThereWithoutIdempotency() {
		this.runner.withPropertyValues("idempotent.enabled=false")
			.run((context) -> assertThat(context).doesNotHaveBean(BEAN).doesNotHaveBean(HttpIdempotency.class));
	}

	@Test
	void csrfProcessorAloneIsWhatSecurityRegisters() {
		this.runner.withPropertyValues("idempotent.web.forms.enabled=false")
			.withConfiguration(
					AutoConfigurations.of(SecurityAutoConfiguration.class, ServletWebSecurityAutoConfiguration.class))
			.run((context) -> assertThat(context.getBean(BEAN)).isInstanceOf(CsrfRequestDataValueProcessor.class));
	}

	@RestController
	static class Orders {

		@PostMapping("/orders")
		@ApiIdempotent
		String create() {
			return "created";
		}

	}

}
