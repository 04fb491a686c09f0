package io.idempotent.form.autoconfigure;

import java.util.function.UnaryOperator;

import io.idempotent.form.TokenFieldProcessor;

import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.web.servlet.support.RequestDataValueProcessor;

/**
 * Puts the processor that adds tokens to forms in front of the one that the application
 * or Spring Security has defined.
 */
final class FormProcessorDecorator implements BeanPostProcessor {

	private final UnaryOperator<RequestDataValueProcessor> decorator;

	FormProcessorDecorator(UnaryOperator<RequestDataValueProcessor> decorator) {
		this.decorator = decorator;
	}

	@Override
	public Object postProcessAfterInitialization(Object bean, String beanName) {
		return (beanName.equals(TokenFieldProcessor.BEAN_NAME) && bean instanceof RequestDataValueProcessor processor
				&& !(bean instanceof TokenFieldProcessor)) ? this.decorator.apply(processor) : bean;
	}

}
