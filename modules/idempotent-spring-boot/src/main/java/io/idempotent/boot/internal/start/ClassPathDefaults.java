package io.idempotent.boot.internal.start;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.idempotent.boot.settings.OptionalModule;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.event.ApplicationEnvironmentPreparedEvent;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.ApplicationListener;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.io.Resource;
import org.springframework.core.io.support.PathMatchingResourcePatternResolver;
import org.springframework.util.ClassUtils;

/**
 * Defaults that depend on the class path; a property of the application takes precedence.
 * Without a module for Redis, records and locks are in the database. Dependencies of this
 * library do not change the choices of Spring Boot: the cache moves neither to Redis nor
 * to Redisson's JCache provider, and an unused Redis has no health indicator. A listener,
 * because each generation of Spring Boot has an {@code EnvironmentPostProcessor} of its
 * own.
 */
final class ClassPathDefaults implements ApplicationListener<ApplicationEnvironmentPreparedEvent> {

	static final String NAME = "idempotentClassPathDefaults";

	private static final String CACHE_TYPE = "spring.cache.type";

	private static final String JCACHE_PROVIDER = "spring.cache.jcache.provider";

	private static final String PROVIDERS = "META-INF/services/javax.cache.spi.CachingProvider";

	private static final String REDISSON_PROVIDER = "org.redisson.jcache.JCachingProvider";

	/** The caches that Spring Boot looks for after Redis, in this order. */
	private static final List<Map.Entry<String, String>> LOCAL_CACHES = List.of(
			Map.entry("cache2k", "org.cache2k.extra.spring.SpringCache2kCacheManager"),
			Map.entry("caffeine", "com.github.benmanes.caffeine.cache.Caffeine"));

	@Override
	public void onApplicationEvent(ApplicationEnvironmentPreparedEvent event) {
		ConfigurableEnvironment environment = event.getEnvironment();
		ClassLoader classLoader = event.getSpringApplication().getClassLoader();
		Map<String, Object> defaults = new LinkedHashMap<>();
		addStores(defaults, classLoader);
		addCache(defaults, environment, classLoader);
		if (isRedisUnused(environment)) {
			defaults.put("management.health.redis.enabled", "false");
		}
		if (!defaults.isEmpty()) {
			environment.getPropertySources().addLast(new MapPropertySource(NAME, defaults));
		}
	}

	private static void addStores(Map<String, Object> defaults, @Nullable ClassLoader classLoader) {
		if (OptionalModule.JDBC.isPresent(classLoader) && !OptionalModule.REDIS.isPresent(classLoader)) {
			defaults.put("idempotent.store.type", "jdbc");
		}
		if (OptionalModule.LOCK_JDBC.isPresent(classLoader) && !OptionalModule.LOCK_REDIS.isPresent(classLoader)) {
			defaults.put("idempotent.lock.engines", "jdbc");
		}
	}

	private static void addCache(Map<String, Object> defaults, ConfigurableEnvironment environment,
			@Nullable ClassLoader classLoader) {
		if (environment.containsProperty(CACHE_TYPE) || environment.containsProperty(JCACHE_PROVIDER)) {
			return;
		}
		Set<String> providers = cachingProviders(classLoader);
		boolean redissons = providers.remove(REDISSON_PROVIDER);
		if (redissons && providers.size() == 1) {
			defaults.put(JCACHE_PROVIDER, providers.iterator().next());
		}
		if (!providers.isEmpty()) {
			return;
		}
		LOCAL_CACHES.stream()
			.filter((cache) -> ClassUtils.isPresent(cache.getValue(), classLoader))
			.findFirst()
			.ifPresentOrElse((cache) -> defaults.put(CACHE_TYPE, cache.getKey()), () -> {
				boolean jcache = redissons && ClassUtils.isPresent("javax.cache.Caching", classLoader);
				if (jcache || isRedisUnused(environment)) {
					defaults.put(CACHE_TYPE, isConfigured(environment, "spring.cache.redis") ? "redis" : "simple");
				}
			});
	}

	private static Set<String> cachingProviders(@Nullable ClassLoader classLoader) {
		Set<String> providers = new LinkedHashSet<>();
		try {
			for (Resource file : new PathMatchingResourcePatternResolver(classLoader)
				.getResources("classpath*:" + PROVIDERS)) {
				file.getContentAsString(StandardCharsets.UTF_8)
					.lines()
					.map((line) -> line.replaceFirst("#.*", "").strip())
					.filter((line) -> !line.isEmpty())
					.forEach(providers::add);
			}
		}
		catch (IOException ex) {
			throw new UncheckedIOException("The JCache providers cannot be read from " + PROVIDERS, ex);
		}
		return providers;
	}

	/** Whether records and locks are elsewhere, and no Redis is configured. */
	private static boolean isRedisUnused(ConfigurableEnvironment environment) {
		String store = environment.getProperty("idempotent.store.type", "redis");
		List<String> engines = Binder.get(environment)
			.bind("idempotent.lock.engines", Bindable.listOf(String.class))
			.orElse(List.of("redisson"));
		return !store.equalsIgnoreCase("redis") && !engines.contains("redisson") && !engines.contains("redis")
				&& !isConfigured(environment, "spring.data.redis");
	}

	private static boolean isConfigured(ConfigurableEnvironment environment, String prefix) {
		return Binder.get(environment).bind(prefix, Bindable.mapOf(String.class, Object.class)).isBound();
	}

}
