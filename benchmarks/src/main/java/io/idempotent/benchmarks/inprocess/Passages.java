package io.idempotent.benchmarks.inprocess;

import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;

import io.idempotent.webmvc.internal.HttpIdempotency;

import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;
import org.springframework.web.method.HandlerMethod;

/**
 * An application, and the ways to its handlers.
 */
final class Passages implements AutoCloseable {

	static final String KEY = "8e03978e-40d5-43dd-bc93-6894a57f9324";

	/** The length of every answer. */
	static final int ANSWER = 38;

	private static final byte[] BODY = "{\"id\":\"0123456789\",\"product\":\"umbrella\",\"quantity\":2}"
		.getBytes(StandardCharsets.UTF_8);

	private final ConfigurableApplicationContext context;

	Passages(boolean nearCache, Class<?>... more) {
		this.context = Application.start(nearCache, more);
	}

	/**
	 * The beans of the application.
	 * @return the one that handles orders
	 */
	Orders orders() {
		return this.context.getBean(Orders.class);
	}

	/**
	 * The way to a handler through the filter and the interceptor.
	 * @param handler the name of its method, and of its path
	 * @param call calls it
	 * @return the way
	 */
	Passage to(String handler, Passage.Call call) {
		return to(handler, BODY, call);
	}

	/**
	 * The same way for a request that is named by its key alone.
	 * @param handler the name of its method, and of its path
	 * @param call calls it
	 * @return the way
	 */
	Passage withoutBodyTo(String handler, Passage.Call call) {
		return to(handler, new byte[0], call);
	}

	private Passage to(String handler, byte[] body, Passage.Call call) {
		return new Passage(
				this.context.getBean("io.idempotent.idempotencyFilter", FilterRegistrationBean.class).getFilter(),
				this.context.getBean(HttpIdempotency.class).interceptor(), method(handler),
				new LeanRequest("/" + handler, body), call);
	}

	/**
	 * The way without either of them.
	 * @param handler the name of its method, and of its path
	 * @param call calls it
	 * @return the way
	 */
	Passage straightTo(String handler, Passage.Call call) {
		return new Passage(null, null, method(handler), new LeanRequest("/" + handler, BODY), call);
	}

	private HandlerMethod method(String name) {
		Object bean = orders();
		for (Method method : ReflectionUtils.getAllDeclaredMethods(ClassUtils.getUserClass(bean))) {
			if (method.getName().equals(name)) {
				return new HandlerMethod(bean, method);
			}
		}
		throw new IllegalArgumentException("There is no handler " + name);
	}

	@Override
	public void close() {
		this.context.close();
	}

}
