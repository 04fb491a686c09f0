package io.idempotent.boot.internal.start;

import java.util.function.Consumer;

import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;

/**
 * Checks the beans of its context once they exist, and those of each child context that
 * {@link UnprotectedBeanCheck} finds.
 */
public record ContextCheck(ConfigurableListableBeanFactory own,
		Consumer<ConfigurableListableBeanFactory> check) implements SmartInitializingSingleton {

	@Override
	public void afterSingletonsInstantiated() {
		this.check.accept(this.own);
	}

}
