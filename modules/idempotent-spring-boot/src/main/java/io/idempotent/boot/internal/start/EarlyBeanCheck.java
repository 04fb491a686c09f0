package io.idempotent.boot.internal.start;

import java.lang.reflect.Proxy;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

import io.idempotent.support.AnnotatedMethodAdvisor;
import io.idempotent.support.StartUpException;
import org.jspecify.annotations.Nullable;

import org.springframework.aop.Advisor;
import org.springframework.aop.config.AopConfigUtils;
import org.springframework.aop.framework.Advised;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;

/**
 * Fails the start if an annotated bean has no proxy, so that its annotations would have
 * no effect: nothing makes proxies, or a {@code BeanPostProcessor} needs the bean, which
 * was created before proxies could be made.
 */
public final class EarlyBeanCheck implements BeanFactoryPostProcessor, SmartInitializingSingleton {

	private final Set<String> given = new HashSet<>();

	private @Nullable ConfigurableListableBeanFactory beans;

	/** Notes the beans that nobody creates, such as the mocks of a test. */
	@Override
	public void postProcessBeanFactory(ConfigurableListableBeanFactory factory) {
		this.given.addAll(Arrays.asList(factory.getSingletonNames()));
		this.beans = factory;
	}

	@Override
	public void afterSingletonsInstantiated() {
		if (this.beans != null) {
			requireProxies(this.beans, this.beans.getBeanProvider(AnnotatedMethodAdvisor.class).stream().toList());
		}
	}

	private void requireProxies(ConfigurableListableBeanFactory created, List<AnnotatedMethodAdvisor> advisors) {
		Set<String> early = new TreeSet<>();
		for (String name : created.getBeanDefinitionNames()) {
			Object bean = this.given.contains(name) ? null : created.getSingleton(name);
			if (bean != null && advisors.stream().anyMatch((advisor) -> lacks(bean, advisor))) {
				early.add(name);
			}
		}
		if (!early.isEmpty()) {
			String what = "The annotations of this library have no effect on the beans " + String.join(", ", early);
			if (!created.containsBean(AopConfigUtils.AUTO_PROXY_CREATOR_BEAN_NAME)) {
				throw new StartUpException(what + ": nothing makes proxies here",
						"Leave spring.aop.auto switched on, or add @EnableAspectJAutoProxy", null);
			}
			throw new StartUpException(
					what + ": they were created before proxies could be made, because a BeanPostProcessor, or a bean "
							+ "that one needs, depends on them",
					"Let it depend on an ObjectProvider of the bean, or on the bean with @Lazy, and declare the @Bean "
							+ "method of a BeanPostProcessor static",
					null);
		}
	}

	private static boolean lacks(Object bean, Advisor advisor) {
		if (bean instanceof Advised proxy) {
			return !Arrays.asList(proxy.getAdvisors()).contains(advisor)
					&& AopUtils.canApply(advisor, AopUtils.getTargetClass(bean));
		}
		// Another proxy may be around that of Spring.
		return !Proxy.isProxyClass(bean.getClass()) && AopUtils.canApply(advisor, bean.getClass());
	}

}
