package io.idempotent.support;

import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.reflect.Proxy;
import java.util.concurrent.Callable;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.core.annotation.Order;
import org.springframework.core.task.SimpleAsyncTaskExecutor;

import static org.assertj.core.api.Assertions.assertThat;

class AnnotatedClassesTests {

	@ParameterizedTest
	@ValueSource(classes = { OnClass.class, OnPrivateMethod.class, OnInterface.class, Composed.class, Inherited.class })
	void anAnnotationOfTheLibraryIsFound(Class<?> type) {
		assertThat(AnnotatedClasses.contain(type)).isTrue();
	}

	@ParameterizedTest
	@ValueSource(classes = { Object.class, SimpleAsyncTaskExecutor.class, OfOthers.class })
	void otherAnnotationsDoNotCount(Class<?> type) {
		assertThat(AnnotatedClasses.contain(type)).isFalse();
	}

	@Test
	void aProxyHasTheAnnotationsOfItsInterfaces() {
		Object proxy = Proxy.newProxyInstance(getClass().getClassLoader(), new Class<?>[] { Annotated.class },
				(self, method, arguments) -> null);

		assertThat(AnnotatedClasses.contain(proxy.getClass())).isTrue();
	}

	@Retention(RetentionPolicy.RUNTIME)
	@interface Marked {

	}

	@Marked
	@Retention(RetentionPolicy.RUNTIME)
	@interface Remarked {

	}

	interface Annotated {

		@Marked
		void run();

	}

	@Marked
	static class OnClass {

	}

	static class OnPrivateMethod {

		@Marked
		@SuppressWarnings("UnusedMethod")
		private void run() {
		}

	}

	abstract static class OnInterface implements Annotated {

	}

	static class Composed {

		@Remarked
		void run() {
		}

	}

	static class Inherited extends OnPrivateMethod {

	}

	static class OfOthers implements Callable<String> {

		@Order(1)
		@Override
		public String call() {
			return "";
		}

	}

}
