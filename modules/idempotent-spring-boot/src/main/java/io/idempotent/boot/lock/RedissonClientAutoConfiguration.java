package io.idempotent.boot.lock;

import io.idempotent.boot.internal.redis.RedisDetails;
import io.idempotent.boot.internal.redis.RedisDetailsConfiguration;
import io.idempotent.lock.redis.RedissonLockEngine;
import io.idempotent.support.DaemonThreads;
import org.redisson.Redisson;
import org.redisson.api.RedissonClient;
import org.redisson.config.Config;

import org.springframework.aop.framework.autoproxy.AutoProxyUtils;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Lazy;
import org.springframework.data.redis.connection.RedisConnectionFactory;

/**
 * Auto-configuration for a {@link RedissonClient} on the servers of the
 * {@link RedisConnectionFactory}, so that records and locks are in one Redis, unless the
 * application defines a client. It connects on first use, and does not change the
 * connection factory. If the servers cannot be determined, the first lock fails: the
 * application has to define a client as well.
 */
@AutoConfiguration(afterName = { "org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration",
		"org.springframework.boot.autoconfigure.data.redis.RedisAutoConfiguration" })
@ConditionalOnClass({ RedissonLockEngine.class, Redisson.class, RedisConnectionFactory.class })
@ConditionalOnBean(RedisConnectionFactory.class)
@ConditionalOnBooleanProperty(name = "idempotent.enabled", matchIfMissing = true)
@Import(RedisDetailsConfiguration.class)
public final class RedissonClientAutoConfiguration {

	private static final String CLIENT = "io.idempotent.redissonClient";

	// The lazy bean saves threads, the lazy configuration saves connections.
	@Bean(name = CLIENT, destroyMethod = "shutdown")
	@Lazy
	@ConditionalOnMissingBean
	RedissonClient redissonClient(ConfigurableApplicationContext context,
			ObjectProvider<RedisConnectionFactory> factories, ObjectProvider<RedisDetails> details,
			ObjectProvider<RedissonConfigCustomizer> customizers) {
		RedisConnectionFactory factory = factories.getIfUnique();
		if (factory == null) {
			throw RedissonConfigFactory
				.unreadable("there are several RedisConnectionFactory beans and none of them is @Primary");
		}
		Config config = new RedissonConfigFactory(factory, details.getIfAvailable(() -> RedisDetails.NONE)).create();
		customizers.orderedStream().forEach((customizer) -> customizer.customize(config));
		RedissonClient client = Redisson.create(config);
		// Its timer is no daemon, and would keep a finished application alive.
		DaemonThreads.runWithoutOthers("idempotent-lock-redisson-end", "redisson-timer", context::isActive,
				() -> end(context, client));
		return client;
	}

	/**
	 * Lets Spring look for listeners in no class, instead of loading 180 types in the
	 * signatures of the client, which has none.
	 */
	@Bean("io.idempotent.redissonClientListeners")
	static BeanFactoryPostProcessor redissonClientListeners() {
		return (beans) -> {
			if (beans.containsBeanDefinition(CLIENT)) {
				beans.getBeanDefinition(CLIENT)
					.setAttribute(AutoProxyUtils.ORIGINAL_TARGET_CLASS_ATTRIBUTE, Object.class);
			}
		};
	}

	/** Spring does not destroy a bean that is created while its context closes. */
	private static void end(ConfigurableApplicationContext context, RedissonClient client) {
		context.close();
		if (!client.isShutdown()) {
			client.shutdown();
		}
	}

}
