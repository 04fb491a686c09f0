package io.idempotent.test;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.test.context.TestPropertySource;

/**
 * Keeps the operations and locks of a test in memory, and forgets them before each test
 * method. It can be added to {@code @SpringBootTest}, to a slice such as
 * {@code @WebMvcTest}, and to any other test class that has a Spring context. It also
 * auto-configures {@code @ApiIdempotent}, {@code @Idempotent} and
 * {@code @DistributedLocked} in slices, which do not include all of them.
 *
 * <p>
 * The store is a bean of type {@link TestIdempotencyStore}, which a test may inject and
 * make assertions on. It is used unless the application defines an
 * {@link io.idempotent.store.IdempotencyStore} bean. The only lock engine is
 * {@code local}. There is no near cache. Receipts and fences stay in the test's database,
 * if there is one; they are not cleared. An extension has its properties for such tests
 * in {@code META-INF}, in a file named after this annotation.
 *
 * <p>
 * Contexts have separate stores and locks, so that tests may run in parallel in different
 * contexts. Test methods that run in parallel in one context share a store: each of them
 * clears what the others have stored.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Inherited
@ImportAutoConfiguration
@TestPropertySource(locations = "classpath*:META-INF/io.idempotent.test.AutoConfigureIdempotency.properties",
		properties = { "idempotent.store.type=local", "idempotent.store.near-cache.enabled=false",
				"idempotent.lock.engines=local" })
public @interface AutoConfigureIdempotency {

	/**
	 * Whether missing keys are added to requests, so that existing tests need no change.
	 * A new key, and a new token for the caller, are added to each request that has
	 * neither, except GET, HEAD, OPTIONS and TRACE. Requests to other handlers are not
	 * affected. Works with any client: {@code MockMvc}, {@code RestTestClient},
	 * {@code WebTestClient}, REST Assured. {@code MockMvc} must apply the filters of the
	 * application, as that of {@code @AutoConfigureMockMvc} does by default. The property
	 * {@code idempotent.test.add-keys} does the same for tests without this annotation.
	 */
	boolean addKeys() default false;

}
