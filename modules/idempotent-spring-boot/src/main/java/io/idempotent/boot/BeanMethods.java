package io.idempotent.boot;

import java.lang.reflect.Method;
import java.util.function.BiConsumer;

import org.springframework.aop.framework.autoproxy.AutoProxyUtils;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.MethodIntrospector;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils.MethodFilter;

/**
 * The methods of all beans but Spring's own, as their authors have written them.
 */
public final class BeanMethods {

	private BeanMethods() {
	}

	/**
	 * Looks at methods, without creating a bean.
	 * @param beans the beans
	 * @param wanted which methods
	 * @param action gets each of them, and the class of its bean
	 */
	public static void forEach(ConfigurableListableBeanFactory beans, MethodFilter wanted,
			BiConsumer<Method, Class<?>> action) {
		for (String name : beans.getBeanDefinitionNames()) {
			Class<?> type = AutoProxyUtils.determineTargetClass(beans, name);
			if (type != null && !type.getName().startsWith("org.springframework.")) {
				Class<?> written = ClassUtils.getUserClass(type);
				MethodIntrospector.selectMethods(written, wanted).forEach((method) -> action.accept(method, written));
			}
		}
	}

}
