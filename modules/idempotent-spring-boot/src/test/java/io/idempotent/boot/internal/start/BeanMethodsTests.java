package io.idempotent.boot.internal.start;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.boot.autoconfigure.AutoConfigurationPackages;
import org.springframework.core.task.SimpleAsyncTaskExecutor;

import static org.assertj.core.api.Assertions.assertThat;

class BeanMethodsTests {

	private final DefaultListableBeanFactory beans = new DefaultListableBeanFactory();

	@BeforeEach
	void defineABeanOfSpring() {
		this.beans.registerBeanDefinition("executor", new RootBeanDefinition(SimpleAsyncTaskExecutor.class));
	}

	@Test
	void beansOfSpringAreLeftOut() {
		AutoConfigurationPackages.register(this.beans, "org.springframework.core.tas");

		assertThat(BeanMethods.classes(this.beans)).doesNotContain(SimpleAsyncTaskExecutor.class);
	}

	@Test
	void anApplicationMayBeInAPackageOfSpring() {
		AutoConfigurationPackages.register(this.beans, "org.springframework.core");

		assertThat(BeanMethods.classes(this.beans)).contains(SimpleAsyncTaskExecutor.class);
	}

}
