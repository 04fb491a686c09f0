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
import org.springframework.aop.SpringProxy;
import org.springframework.aop.framework.Advised;
import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.aop.framework.autoproxy.AbstractAdvisorAutoProxyCreator;
import org.springframework.aop.framework.autoproxy.InfrastructureAdvisorAutoProxyCreator;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.context.ApplicationListener;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.event.ContextRefreshedEvent;

/**
 * Fails the start if an annotated bean has no proxy, so that its annotations would have
 * no effect: nothing makes proxies, or a {@code BeanPostProcessor} needs the bean, which
 * was created before proxies could be made. A child context that lacks this library
 * itself gets this check and each {@link ContextCheck}, because the advisors of its
 * parent act on its beans.
 */
public final class UnprotectedBeanCheck
		implements BeanFactoryPostProcessor, SmartInitializingSingleton, ApplicationListener<ContextRefreshedEvent> {

	private final ConfigurableApplicationContext context;

	private final Set<String> given = new HashSet<>();

	public UnprotectedBeanCheck(ConfigurableApplicationContext context) {
		this.context = context;
	}

	/** Notes the beans that nobody creates, such as the mocks of a test. */
	@Override
	public void postProcessBeanFactory(ConfigurableListableBeanFactory factory) {
		this.given.addAll(Arrays.asList(factory.getSingletonNames()));
	}

	@Override
	public void afterSingletonsInstantiated() {
		requireProxies(this.context.getBeanFactory(), this.given, null);
	}

	@Override
	public void onApplicationEvent(ContextRefreshedEvent event) {
		if (event.getApplicationContext() != this.context
				&& event.getApplicationContext() instanceof ConfigurableApplicationContext child) {
			ConfigurableListableBeanFactory beans = child.getBeanFactory();
			if (beans.getBeanProvider(UnprotectedBeanCheck.class).getIfAvailable() == this
					&& !BeanMethods.beans(beans).isEmpty()) {
				requireProxies(beans, Set.of(), child.getDisplayName());
				this.context.getBeanProvider(ContextCheck.class)
					.orderedStream()
					.forEach((each) -> each.check().accept(beans));
			}
		}
	}

	private void requireProxies(ConfigurableListableBeanFactory beans, Set<String> exempt, @Nullable String child) {
		List<? extends Advisor> advisors = this.context.getBeanProvider(AnnotatedMethodAdvisor.class).stream().toList();
		boolean makesProxies = makesProxies(beans);
		Set<String> names = new TreeSet<>();
		BeanMethods.beans(beans).forEach((name, type) -> {
			Object bean = beans.getSingleton(name);
			if (!exempt.contains(name) && advisors.stream()
				.anyMatch((advisor) -> (bean != null) ? lacks(bean, advisor)
						: !makesProxies && AopUtils.canApply(advisor, type))) {
				names.add(name);
			}
		});
		if (!names.isEmpty()) {
			throw unprotected(String.join(", ", names), makesProxies, child);
		}
	}

	private static boolean lacks(Object bean, Advisor advisor) {
		if (bean instanceof Advised proxy) {
			// There is none if it differs, as in a scope; it has a name of its own then.
			Object target = AopProxyUtils.getSingletonTarget(bean);
			return target != null && !Arrays.asList(proxy.getAdvisors()).contains(advisor) && lacks(target, advisor);
		}
		// An opaque proxy does not tell, and another proxy may be around that of Spring.
		return !(bean instanceof SpringProxy) && !Proxy.isProxyClass(bean.getClass())
				&& AopUtils.canApply(advisor, bean.getClass());
	}

	/** That of transactions alone finds no advisors of a parent. */
	private static boolean makesProxies(ConfigurableListableBeanFactory beans) {
		boolean hasAdvisors = beans.getBeanNamesForType(AnnotatedMethodAdvisor.class).length > 0;
		return beans.getBeansOfType(AbstractAdvisorAutoProxyCreator.class)
			.values()
			.stream()
			.anyMatch((creator) -> hasAdvisors || !(creator instanceof InfrastructureAdvisorAutoProxyCreator));
	}

	private static StartUpException unprotected(String names, boolean makesProxies, @Nullable String child) {
		String what = "The annotations of this library have no effect on the beans " + names
				+ ((child != null) ? " of the child context '" + child + "'" : "");
		if (makesProxies) {
			return new StartUpException(
					what + ": they were created before proxies could be made, because a BeanPostProcessor, or a bean "
							+ "that one needs, depends on them",
					"Let it depend on an ObjectProvider of the bean, or on the bean with @Lazy, and declare the @Bean "
							+ "method of a BeanPostProcessor static",
					null);
		}
		return new StartUpException(
				what + ": nothing makes proxies "
						+ ((child != null) ? "there with the advisors of the parent" : "here"),
				((child != null) ? "Define the beans in the parent context" : "Leave spring.aop.auto switched on")
						+ ", or add @EnableAspectJAutoProxy to a configuration of the same context",
				null);
	}

}
