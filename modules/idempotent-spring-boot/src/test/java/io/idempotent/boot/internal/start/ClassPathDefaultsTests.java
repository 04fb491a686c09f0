package io.idempotent.boot.internal.start;

import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

import com.github.benmanes.caffeine.cache.Caffeine;
import io.idempotent.lock.redis.RedissonLockEngine;
import io.idempotent.redis.RedisIdempotencyStore;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.bootstrap.DefaultBootstrapContext;
import org.springframework.boot.context.event.ApplicationEnvironmentPreparedEvent;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.util.TestPropertyValues;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.io.DefaultResourceLoader;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What the class path decides, and what the library leaves as it was.
 */
class ClassPathDefaultsTests {

	private static final ClassLoader ALL = ClassPathDefaultsTests.class.getClassLoader();

	private static final String PROVIDERS = "META-INF/services/javax.cache.spi.CachingProvider";

	private static final String KEY = "management.health.redis.enabled";

	private static Map<String, Object> defaults(ClassLoader classLoader, String... properties) {
		StandardEnvironment environment = new StandardEnvironment();
		TestPropertyValues.of(properties).applyTo(environment);
		new ClassPathDefaults()
			.onApplicationEvent(new ApplicationEnvironmentPreparedEvent(new DefaultBootstrapContext(),
					new SpringApplication(new DefaultResourceLoader(classLoader)), new String[0], environment));
		return (environment.getPropertySources().get(ClassPathDefaults.NAME) instanceof MapPropertySource defaults)
				? defaults.getSource() : Map.of();
	}

	@Test
	void recordsAreInTheDatabaseWithoutTheRedisModule() {
		assertThat(defaults(new FilteredClassLoader(RedisIdempotencyStore.class)))
			.containsEntry("idempotent.store.type", "jdbc");
	}

	@Test
	void locksAreInTheDatabaseWithoutTheRedisModule() {
		assertThat(defaults(new FilteredClassLoader(RedissonLockEngine.class))).containsEntry("idempotent.lock.engines",
				"jdbc");
	}

	@Test
	void otherwiseTheDefaultsApply() {
		assertThat(defaults(ALL)).doesNotContainKeys("idempotent.store.type", "idempotent.lock.engines");
	}

	@Test
	void caffeineIsNotReplacedByRedisNorRedisson() {
		assertThat(defaults(ALL)).containsEntry("spring.cache.type", "caffeine");
	}

	@Test
	void theApplicationDecidesOnItsCache() {
		assertThat(defaults(ALL, "spring.cache.type=redis")).doesNotContainKey("spring.cache.type");
		assertThat(defaults(ALL, "spring.cache.jcache.provider=a.Provider")).doesNotContainKey("spring.cache.type");
	}

	@Test
	void theOtherJCacheProviderIsStillUsed(@TempDir Path directory) throws Exception {
		Path file = Files.createDirectories(directory.resolve(PROVIDERS).getParent())
			.resolve("javax.cache.spi.CachingProvider");
		Files.writeString(file, "# of the application\na.Provider\n");
		try (URLClassLoader classLoader = new URLClassLoader(new URL[] { directory.toUri().toURL() }, ALL)) {
			assertThat(defaults(classLoader)).containsEntry("spring.cache.jcache.provider", "a.Provider")
				.doesNotContainKey("spring.cache.type");
		}
	}

	@Test
	void aCacheInMemoryIsNotMovedToARedisThatNobodyUses() {
		ClassLoader withoutCaffeine = new FilteredClassLoader(Caffeine.class);
		assertThat(defaults(withoutCaffeine, "idempotent.store.type=local", "idempotent.lock.engines=local"))
			.containsEntry("spring.cache.type", "simple");
		assertThat(defaults(withoutCaffeine, "idempotent.store.type=local", "idempotent.lock.engines=local",
				"spring.data.redis.host=redis"))
			.doesNotContainKey("spring.cache.type");
	}

	@Test
	void anUnusedRedisHasNoHealthIndicator() {
		assertThat(defaults(ALL, "idempotent.store.type=jdbc", "idempotent.lock.engines=jdbc")).containsEntry(KEY,
				"false");
	}

	@Test
	void aRedisUsedByTheLibraryHasAHealthIndicator() {
		assertThat(defaults(ALL)).doesNotContainKey(KEY);
		assertThat(defaults(ALL, "idempotent.store.type=jdbc")).doesNotContainKey(KEY);
		assertThat(defaults(ALL, "idempotent.lock.engines=jdbc")).doesNotContainKey(KEY);
		assertThat(defaults(ALL, "idempotent.store.type=REDIS", "idempotent.lock.engines=jdbc")).doesNotContainKey(KEY);
	}

	@Test
	void aRedisConfiguredByTheApplicationHasAHealthIndicator() {
		assertThat(defaults(ALL, "idempotent.store.type=jdbc", "idempotent.lock.engines=jdbc",
				"spring.data.redis.url=redis://redis"))
			.doesNotContainKey(KEY);
	}

}
