package io.idempotent.benchmarks.replay;

import java.lang.reflect.Proxy;

import com.pig4cloud.plugin.idempotent.IdempotentAutoConfiguration;
import com.pig4cloud.plugin.idempotent.annotation.Idempotent;
import com.pig4cloud.plugin.idempotent.exception.IdempotentException;
import io.idempotent.benchmarks.server.RedisServer;
import jakarta.servlet.http.HttpServletRequest;
import org.redisson.Redisson;
import org.redisson.client.codec.StringCodec;
import org.redisson.config.Config;

import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.EnableAspectJAutoProxy;
import org.springframework.web.context.request.RequestContextHolder;
import org.springframework.web.context.request.ServletRequestAttributes;

/**
 * A method with the annotation of pig4cloud's idempotent-spring-boot-starter: a mark in a
 * Redisson map that expires, read and then put there if it is absent. It keeps no answer;
 * a duplicate gets an exception. It wants a request at hand, of which it asks the URL.
 */
final class AnnotatedMethod implements ReplayWay, AutoCloseable {

	/** The servlet API wants a buffer of this kind. */
	@SuppressWarnings("JdkObsolete")
	private static final StringBuffer URL = new StringBuffer("http://localhost/orders");

	private final ServletRequestAttributes request = new ServletRequestAttributes(
			(HttpServletRequest) Proxy.newProxyInstance(AnnotatedMethod.class.getClassLoader(),
					new Class<?>[] { HttpServletRequest.class },
					(proxy, method, arguments) -> method.getName().equals("getRequestURL") ? URL : null));

	private final AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();

	private final Redisson redisson;

	private final Orders orders;

	AnnotatedMethod(RedisServer redis) {
		Config config = new Config();
		config.setCodec(StringCodec.INSTANCE);
		config.useSingleServer().setAddress(redis.address());
		this.redisson = (Redisson) Redisson.create(config);
		this.context.registerBean(Redisson.class, () -> this.redisson);
		this.context.register(IdempotentAutoConfiguration.class, Proxies.class, Orders.class);
		this.context.refresh();
		this.orders = this.context.getBean(Orders.class);
	}

	@Override
	public void first(String key) {
		RequestContextHolder.setRequestAttributes(this.request);
		if (this.orders.create(key).length != ReplayArea.ANSWER.length) {
			throw new IllegalStateException("Not run");
		}
	}

	@Override
	public void duplicate(String key) {
		RequestContextHolder.setRequestAttributes(this.request);
		try {
			this.orders.create(key);
		}
		catch (IdempotentException ex) {
			return;
		}
		throw new IllegalStateException("Run again");
	}

	@Override
	public void close() {
		this.context.close();
		this.redisson.shutdown();
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAspectJAutoProxy(proxyTargetClass = true)
	static class Proxies {

	}

	static class Orders {

		@Idempotent(key = "#key", expireTime = 600, info = "duplicate")
		public byte[] create(String key) {
			return ReplayArea.ANSWER;
		}

	}

}
