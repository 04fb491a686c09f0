package io.idempotent.contract;

import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.util.stream.Stream;

import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.platform.commons.support.AnnotationSupport;
import org.junit.platform.commons.support.HierarchyTraversalMode;
import org.junit.platform.commons.support.ReflectionSupport;

/**
 * One test of a contract, to be run against an engine that has a defect.
 *
 * @param group the nested class it is in
 * @param method the test
 */
public record ContractTest(Class<?> group, Method method) {

	public static Stream<ContractTest> of(Class<?> contract) {
		return ReflectionSupport
			.findNestedClasses(contract, (nested) -> AnnotationSupport.isAnnotated(nested, Nested.class))
			.stream()
			.flatMap((group) -> AnnotationSupport
				.findAnnotatedMethods(group, Test.class, HierarchyTraversalMode.TOP_DOWN)
				.stream()
				.map((method) -> new ContractTest(group, method)));
	}

	public String name() {
		return this.method.getName();
	}

	public void run(Object contract) throws Exception {
		Constructor<?> constructor = this.group.getDeclaredConstructors()[0];
		constructor.setAccessible(true);
		ReflectionSupport.invokeMethod(this.method, constructor.newInstance(contract));
	}

}
