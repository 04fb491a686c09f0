package io.idempotent.boot.internal.start;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;

import io.idempotent.support.AnnotatedMethodAdvisor;
import io.idempotent.support.StartUpException;

import org.springframework.aop.framework.autoproxy.AbstractAdvisorAutoProxyCreator;
import org.springframework.aop.framework.autoproxy.InfrastructureAdvisorAutoProxyCreator;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ApplicationListener;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.event.ContextRefreshedEvent;

/**
 * Fails the start of a child context with annotated beans that makes no proxies with the
 * advisors of its parent: the annotations would have no effect.
 */
public record ChildContextCheck(ApplicationContext parent) implements ApplicationListener<ContextRefreshedEvent> {

	@Override
	public void onApplicationEvent(ContextRefreshedEvent event) {
		if (event.getApplicationContext() != this.parent
				&& event.getApplicationContext() instanceof ConfigurableApplicationContext child) {
			Set<String> methods = annotated(child.getBeanFactory());
			if (!methods.isEmpty() && !makesProxies(child.getBeanFactory())) {
				throw new StartUpException(
						"The annotations of this library have no effect on " + String.join(", ", methods)
								+ ": their beans are in the child context '" + child.getDisplayName()
								+ "', which makes no proxies with the advisors of its parent",
						"Define the beans in the parent context, or add @EnableAspectJAutoProxy to a configuration of "
								+ "the child context",
						null);
			}
		}
	}

	private Set<String> annotated(ConfigurableListableBeanFactory beans) {
		List<AnnotatedMethodAdvisor> advisors = this.parent.getBeanProvider(AnnotatedMethodAdvisor.class)
			.stream()
			.toList();
		Set<String> methods = new TreeSet<>();
		BeanMethods.forEach(beans,
				(method, type) -> advisors.stream().anyMatch((advisor) -> advisor.matches(method, type)),
				(method, type) -> methods.add(type.getSimpleName() + "." + method.getName()));
		return methods;
	}

	/**
	 * Another creator of proxies, such as that of transactions, finds no advisors there.
	 */
	private static boolean makesProxies(ConfigurableListableBeanFactory beans) {
		return beans.getBeansOfType(AbstractAdvisorAutoProxyCreator.class)
			.values()
			.stream()
			.anyMatch((creator) -> !(creator instanceof InfrastructureAdvisorAutoProxyCreator));
	}

}
