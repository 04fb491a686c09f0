package io.idempotent.boot;

import java.lang.reflect.Method;
import java.util.function.BiConsumer;

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
		for (String name : beans.getBeanDefinitionNames()) {
			Class<?> type = AutoProxyUtils.determineTargetClass(beans, name);
			if (type != null && !type.getName().startsWith("org.springframework.")) {
				Class<?> userClass = ClassUtils.getUserClass(type);
				MethodIntrospector.selectMethods(userClass, filter)
					.forEach((method) -> action.accept(method, userClass));
			}
		}
	}

}
