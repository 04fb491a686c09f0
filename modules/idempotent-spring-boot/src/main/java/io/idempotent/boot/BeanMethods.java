package io.idempotent.boot;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.function.BiConsumer;
import java.util.function.BiPredicate;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import org.springframework.aop.framework.autoproxy.AutoProxyUtils;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.MethodIntrospector;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils.MethodFilter;

/**
 * Finds methods of beans, on the classes that their authors wrote. Beans of Spring itself
 * are left out.
 */
public final class BeanMethods {

	private BeanMethods() {
	}

	/**
	 * Visits methods, without creating a bean.
	 * @param beans the beans
	 * @param filter selects methods
	 * @param action receives each selected method and the class of its bean
	 */
	public static void forEach(ConfigurableListableBeanFactory beans, MethodFilter filter,
			BiConsumer<Method, Class<?>> action) {
		forEach(beans, (method, type) -> filter.matches(method), action);
	}

	/**
	 * Visits methods, without creating a bean.
	 * @param beans the beans
	 * @param filter selects methods of the class of a bean
	 * @param action receives each selected method and the class of its bean
	 */
	public static void forEach(ConfigurableListableBeanFactory beans, BiPredicate<Method, Class<?>> filter,
			BiConsumer<Method, Class<?>> action) {
		classes(beans).forEach(
				(type) -> MethodIntrospector.selectMethods(type, (MethodFilter) (method) -> filter.test(method, type))
					.forEach((method) -> action.accept(method, type)));
	}

	/**
	 * The classes of the beans, in the order of their definition.
	 */
	static Stream<Class<?>> classes(ConfigurableListableBeanFactory beans) {
		return Arrays.stream(beans.getBeanDefinitionNames())
			.<@Nullable Class<?>>map((name) -> AutoProxyUtils.determineTargetClass(beans, name))
			.filter((type) -> type != null && !type.getName().startsWith("org.springframework."))
			.map(ClassUtils::getUserClass);
	}

}
