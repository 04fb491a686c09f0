package io.idempotent.boot.internal.start;

import java.util.List;

import io.idempotent.boot.internal.json.JsonTrees;
import org.jspecify.annotations.Nullable;

import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.aot.hint.TypeReference;

/**
 * Registers resources and optional classes that this library looks up by name. A native
 * image would lack support for Spring Security or JDBC transactions otherwise.
 */
public class IdempotencyRuntimeHints implements RuntimeHintsRegistrar {

	private static final List<String> RESOURCES = List.of("io/idempotent/redis/*.lua",
			"io/idempotent/jdbc/store/schema-*.sql", "io/idempotent/jdbc/receipt/schema-*.sql",
			"io/idempotent/lock/jdbc/schema-*.sql", "io/idempotent/lock/fence/schema-*.sql", "io/idempotent/db/**",
			"io/idempotent/webmvc/*.properties", "META-INF/services/javax.cache.spi.CachingProvider",
			"META-INF/spring/io.idempotent.boot.StrictBinding.imports",
			"META-INF/spring/io.idempotent.boot.lock.LockEnginesCustomizer.imports");

	private static final List<String> BUNDLES = List.of("io.idempotent.webmvc.problems", "io.idempotent.webmvc.pages");

	/** The classes whose presence is checked by name. */
	private static final List<String> TYPES = List.of("com.github.benmanes.caffeine.cache.Caffeine",
			"javax.cache.Caching", "org.cache2k.extra.spring.SpringCache2kCacheManager", "io.idempotent.ApiIdempotent",
			"io.idempotent.Idempotent", "io.idempotent.lock.DistributedLocked",
			"io.idempotent.lock.DistributedLocked$Several", "io.idempotent.lock.DistributedLocks",
			"io.idempotent.method.IdempotentMethods", "io.idempotent.webmvc.internal.HttpIdempotency",
			"io.idempotent.redis.RedisIdempotencyStore", "io.idempotent.jdbc.store.JdbcIdempotencyStore",
			"io.idempotent.lock.redis.RedissonLockEngine", "io.idempotent.lock.jdbc.JdbcLockEngine",
			"io.idempotent.lock.method.LockedMethods", "io.idempotent.boot.GuardAutoConfiguration",
			"org.apache.tomcat.util.http.InvalidParameterException", "org.redisson.api.RedissonClient",
			"org.springframework.boot.jdbc.init.DataSourceScriptDatabaseInitializer",
			"org.springframework.jdbc.datasource.JdbcTransactionObjectSupport",
			"org.springframework.security.authorization.method.AuthorizationAdvisor",
			"org.springframework.security.web.csrf.CsrfToken", "org.springframework.web.accept.ApiVersionHolder",
			"org.springframework.web.context.request.async.DeferredResult",
			"org.springframework.web.context.request.async.WebAsyncTask", "org.springframework.web.server.WebHandler",
			"org.springframework.web.servlet.mvc.method.annotation.ResponseBodyEmitter",
			"org.springframework.web.servlet.mvc.method.annotation.StreamingResponseBody");

	/** A handler may return the CSRF token as JSON, which is of this class. */
	private static final String CSRF_TOKEN = "io.idempotent.webmvc.internal.response.CsrfTokens$Observed";

	/** Hides a response from Tomcat. */
	private static final String PROXIED = "jakarta.servlet.http.HttpServletResponse";

	@Override
	public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
		RESOURCES.forEach(hints.resources()::registerPattern);
		BUNDLES.forEach(hints.resources()::registerResourceBundle);
		TYPES.forEach((type) -> hints.reflection().registerTypeIfPresent(classLoader, type));
		JsonTrees.NAMES.forEach((type) -> hints.reflection().registerTypeIfPresent(classLoader, type));
		hints.reflection().registerTypeIfPresent(classLoader, CSRF_TOKEN, MemberCategory.INVOKE_PUBLIC_METHODS);
		hints.reflection().registerTypeIfPresent(classLoader, PROXIED, MemberCategory.INVOKE_PUBLIC_METHODS);
		hints.proxies()
			.registerJdkProxy((proxy) -> proxy.proxiedInterfaces(TypeReference.of(PROXIED))
				.onReachableType(TypeReference.of("io.idempotent.webmvc.internal.HttpIdempotency")));
	}

}
