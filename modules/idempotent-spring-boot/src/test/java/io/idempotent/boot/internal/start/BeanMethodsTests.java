package io.idempotent.boot.internal.start;

import io.idempotent.Idempotent;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.core.task.SimpleAsyncTaskExecutor;

import static org.assertj.core.api.Assertions.assertThat;

class BeanMethodsTests {

	@Test
	void beansWithoutAnAnnotationAreLeftOut() {
		DefaultListableBeanFactory beans = new DefaultListableBeanFactory();
		beans.registerBeanDefinition("executor", new RootBeanDefinition(SimpleAsyncTaskExecutor.class));
		beans.registerBeanDefinition("orders", new RootBeanDefinition(Orders.class));

		assertThat(BeanMethods.beans(beans).values()).containsExactly(Orders.class);
	}

	static class Orders {

		@Idempotent(key = "#id")
		void place(String id) {
		}

	}

}
