package io.idempotent.boot.lock;

import java.io.IOException;
import java.lang.reflect.Proxy;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;

import javax.sql.DataSource;

import io.idempotent.boot.settings.InvalidConfigurationException;
import io.idempotent.embedded.EmbeddedRedis;
import io.idempotent.lock.DistributedLock;
import io.idempotent.lock.DistributedLocked;
import io.idempotent.lock.DistributedLocks;
import io.idempotent.lock.LockListener;
import io.idempotent.lock.LockMode;
import io.idempotent.lock.LockNotObtainedHandler;
import io.idempotent.lock.LockOptions;
import io.idempotent.lock.LockTemplate;
import io.idempotent.lock.WhenNotObtained;
import io.idempotent.lock.engine.LockEngine;
import io.idempotent.lock.engine.LockRequest;
import io.idempotent.lock.internal.EngineDistributedLocks;
import io.idempotent.lock.local.LocalLockEngine;
import io.idempotent.lock.method.LockedMethods;
import io.idempotent.support.StartUpException;
import io.idempotent.testing.RedisTalk;
import kotlin.coroutines.Continuation;
import org.h2.Driver;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.mockito.ArgumentCaptor;
import org.mockito.Mockito;
import org.redisson.api.RedissonClient;

import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.boot.transaction.autoconfigure.TransactionAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.SimpleDriverDataSource;
import org.springframework.scheduling.annotation.Async;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.TransactionTemplate;
import org.springframework.util.ReflectionUtils;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.BDDMockito.given;
import static org.mockito.Mockito.atLeastOnce;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.verify;

/**
 * Which engines locks are taken on, and with what words a start fails that could not
 * lock.
 */
class LockAutoConfigurationTests {

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(AopAutoConfiguration.class, LockAutoConfiguration.class));

	private final ApplicationContextRunner local = this.runner.withPropertyValues("idempotent.lock.engines=local");

	@Test
	void anApplicationWithoutLocksNeedsNoEngine() {
		this.runner.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(DistributedLocks.class));
	}

	@Test
	void locksCanBeInjected() {
		this.local.run((context) -> {
			assertThat(context).hasSingleBean(DistributedLocks.class).hasSingleBean(LockTemplate.class);
			assertThat(context.getBean(DistributedLocks.class).engineInForce()).isEqualTo("local");
		});
	}

	@Test
	void theLockOfAGeneratedClassIsNamedAfterItsInterface() {
		List<String> names = new ArrayList<>();
		this.local
			.withBean(Till.class,
					() -> (Till) Proxy.newProxyInstance(Till.class.getClassLoader(),
							new Class<?>[] { Runnable.class, Till.class }, (proxy, method, arguments) -> null))
			.withBean(Shelf.class, () -> (id) -> {
			})
			.withBean(LockListener.class, () -> (event) -> names.add(event.name()))
			.withPropertyValues("idempotent.namespace=shop")
			.run((context) -> {
				context.getBean(Till.class).open("7");
				context.getBean(Shelf.class).fill("8");
				assertThat(names).contains("shop.Till.open:7", "shop.Shelf.fill:8")
					.allMatch((name) -> name.equals("shop.Till.open:7") || name.equals("shop.Shelf.fill:8"));
			});
	}

	@Test
	void enginesAreUsedInTheirConfiguredOrder() {
		this.runner.withBean("first", LockEngine.class, () -> engine("first"))
			.withBean("second", LockEngine.class, () -> engine("second"))
			.withPropertyValues("idempotent.lock.engines=second,local,first")
			.run((context) -> {
				DistributedLocks locks = context.getBean(DistributedLocks.class);
				assertThat(locks.engines()).containsExactly("second", "local", "first");
				assertThat(locks.engineInForce()).isEqualTo("second");
			});
	}

	@Test
	void anEngineOfTheApplicationIsUsedWithoutBeingNamed() {
		this.runner.withBean(LockEngine.class, () -> engine("own"))
			.run((context) -> assertThat(context.getBean(DistributedLocks.class).engines()).containsExactly("own"));
	}

	@Test
	void locksOnTheConnectionOfTheStoreNeedNoRedisson() {
		try (EmbeddedRedis server = EmbeddedRedis.start()) {
			this.runner
				.withConfiguration(
						AutoConfigurations.of(DataRedisAutoConfiguration.class, RedissonClientAutoConfiguration.class))
				.withClassLoader(new FilteredClassLoader("org.redisson"))
				.withPropertyValues("idempotent.lock.engines=redis", "spring.data.redis.port=" + server.port())
				.run((context) -> {
					assertThat(context).hasNotFailed().doesNotHaveBean(RedissonClient.class);
					DistributedLock lock = context.getBean(DistributedLocks.class).get("stock");
					assertThat(lock.tryLock()).isTrue();
					assertThat(RedisTalk.ask(server, "EXISTS " + lock.qualifiedName())).startsWith(":1");
					lock.unlock();
				});
		}
	}

	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	void aDestroyedBeanReleasesItsLockOnTheConnectionOfTheStore(boolean holds) {
		try (EmbeddedRedis server = EmbeddedRedis.start()) {
			Holder[] holder = new Holder[1];
			this.runner.withConfiguration(AutoConfigurations.of(DataRedisAutoConfiguration.class))
				.withPropertyValues("idempotent.lock.engines=redis", "spring.data.redis.port=" + server.port())
				.withBean(Holder.class)
				.run((context) -> {
					holder[0] = context.getBean(Holder.class);
					holder[0].lock.lock();
					if (!holds) {
						holder[0].lock.unlock();
					}
				});
			assertThat(holder[0].connected).isEqualTo(holds);
			assertThat(holder[0].factory.isRunning()).as("after the end").isFalse();
			assertThat(RedisTalk.ask(server, "EXISTS " + holder[0].lock.qualifiedName())).startsWith(":0");
		}
	}

	@Test
	void theWayOutOfAClientThatIsNotLettuceIsNamed() {
		this.runner.withBean(JedisConnectionFactory.class)
			.withPropertyValues("idempotent.lock.engines=redis")
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.isInstanceOf(InvalidConfigurationException.class)
				.hasMessageContainingAll("idempotent.lock.engines is 'redis'", JedisConnectionFactory.class.getName(),
						"not one of Lettuce"));
	}

	@Test
	void oneOfTwoConnectionsOfTheStoreMustBePrimary() {
		this.runner.withBean("one", LettuceConnectionFactory.class)
			.withBean("other", LettuceConnectionFactory.class)
			.withPropertyValues("idempotent.lock.engines=redis")
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.hasMessageContaining("expected single matching bean but found 2: one,other"));
	}

	@Test
	void locksOfTheApplicationReplaceTheDefault() {
		DistributedLocks own = mock(DistributedLocks.class);
		this.local.withBean(DistributedLocks.class, () -> own)
			.run((context) -> assertThat(context).getBean(DistributedLocks.class).isSameAs(own));
	}

	@Test
	void locksCanBeSwitchedOff() {
		this.local.withPropertyValues("idempotent.lock.enabled=false")
			.run((context) -> assertThat(context).doesNotHaveBean(DistributedLocks.class));
	}

	@Test
	@ExtendWith(OutputCaptureExtension.class)
	void enginesThatNothingSwitchesToAreLogged(CapturedOutput output) {
		ApplicationContextRunner several = this.runner.withBean(LockEngine.class, () -> engine("own"));
		several.withPropertyValues("idempotent.lock.engines=local").run((context) -> {
			assertThat(context).hasNotFailed();
			assertThat(output).doesNotContain("Locks that name no engine");
		});
		several.withPropertyValues("idempotent.lock.engines=local,own")
			.run((context) -> assertThat(output)
				.contains("Locks that name no engine are on 'local', and nothing switches them to [own]"));
	}

	@Test
	void aCustomizerReplacesTheEngines() {
		this.local.withBean(LockEnginesCustomizer.class, () -> new TestCustomizer(List.of(engine("around"))))
			.run((context) -> assertThat(context.getBean(DistributedLocks.class).engines()).containsExactly("around"));
	}

	@Test
	void anExtensionMayNeedAnEngineAndMustNotBeExcluded(@TempDir Path extension) throws IOException {
		Path lists = Files.createDirectories(extension.resolve("META-INF/spring"));
		Files.writeString(lists.resolve(ConditionalOnLockEngine.class.getName() + ".imports"),
				"idempotent.lock.extension.engine");
		Files.writeString(lists.resolve(LockEnginesCustomizer.class.getName() + ".imports"),
				"idempotent.lock.extension.enabled");
		try (URLClassLoader classLoader = new URLClassLoader(new URL[] { extension.toUri().toURL() })) {
			ApplicationContextRunner extended = this.runner.withClassLoader(classLoader)
				.withBean(LockEngine.class, () -> engine("own"))
				.withPropertyValues("idempotent.lock.extension.engine=local");
			extended.run((context) -> assertThat(context).hasNotFailed().hasBean("io.idempotent.localLockEngine"));
			extended.withPropertyValues("idempotent.lock.extension.enabled=true")
				.run((context) -> assertThat(context).getFailure()
					.rootCause()
					.isInstanceOf(InvalidConfigurationException.class)
					.hasMessageContaining("idempotent.lock.extension.enabled is 'true'")
					.hasMessageContaining("its auto-configuration is excluded"));
		}
	}

	@Test
	void anEngineThatIsNamedButMissingFailsTheStart() {
		assertStartFails("redisson", "there is no RedissonClient", "define a RedissonClient bean");
		assertStartFails("redis", "there is no RedisConnectionFactory", "Add spring-boot-starter-data-redis");
		assertStartFails("jdbc", "there is no DataSource", "spring.datasource");
		assertStartFails("jdbc-transaction", "there is no DataSource", "spring.datasource");
		assertStartFails("etcd", "there is no LockEngine bean with this name",
				"add io.idempotent:idempotent-lock-etcd and do not exclude its auto-configuration; otherwise name redisson");
	}

	@Test
	void aMissingModuleIsNamedBeforeClientsThatAreAmbiguous() {
		assertStartFails(
				this.runner.withClassLoader(new FilteredClassLoader("io.idempotent.lock.redis"))
					.withBean("one", RedissonClient.class, Mockito::mock)
					.withBean("other", RedissonClient.class, Mockito::mock),
				"redisson", "there is no module idempotent-lock-redis on the class path",
				"Add io.idempotent:idempotent-lock-redis");
	}

	private void assertStartFails(String engine, String why, String action) {
		assertStartFails(this.runner, engine, why, action);
	}

	private static void assertStartFails(ApplicationContextRunner runner, String engine, String why, String action) {
		runner.withPropertyValues("idempotent.lock.engines=" + engine)
			.withBean(LockTemplateUser.class)
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.isInstanceOfSatisfying(StartUpException.class, (ex) -> {
					assertThat(ex).hasMessageContaining("idempotent.lock.engines names '" + engine + "', but " + why);
					assertThat(ex.action()).contains(action);
				}));
	}

	@Test
	void locksInADatabaseCreateTheirTables() {
		for (String engine : List.of("jdbc", "jdbc-transaction")) {
			database("initialize").withPropertyValues("idempotent.lock.engines=" + engine).run((context) -> {
				TransactionTemplate transaction = new TransactionTemplate(
						context.getBean(PlatformTransactionManager.class));
				transaction.executeWithoutResult(
						(status) -> assertTakenAndGivenBack(context.getBean(DistributedLocks.class), engine));
			});
		}
	}

	@Test
	void aTransactionThatStartsInsideItsLockFailsTheStart() {
		ApplicationContextRunner database = database("late").withBean(TooLate.class);
		database.withPropertyValues("idempotent.lock.engines=jdbc-transaction")
			.run((context) -> assertThat(context).getFailure()
				.isInstanceOf(StartUpException.class)
				.hasMessageContaining(
						"@DistributedLocked TooLate.run: the engine 'jdbc-transaction' needs a transaction"));
		database.withPropertyValues("idempotent.lock.engines=jdbc")
			.run((context) -> assertThat(context).hasNotFailed());
	}

	@Test
	void locksMayHaveADataSourceOfTheirOwn() {
		database("main").withUserConfiguration(OwnDataSource.class)
			.withPropertyValues("idempotent.lock.engines=jdbc")
			.run((context) -> {
				assertTakenAndGivenBack(context.getBean(DistributedLocks.class), "jdbc");
				assertThat(new JdbcTemplate(context.getBean("locks", DataSource.class))
					.queryForList("select name from idempotent_lock", String.class))
					.containsExactly("application:lock:a");
			});
	}

	private ApplicationContextRunner database(String name) {
		return this.runner
			.withConfiguration(AutoConfigurations.of(DataSourceAutoConfiguration.class,
					DataSourceTransactionManagerAutoConfiguration.class, TransactionAutoConfiguration.class))
			.withPropertyValues("spring.datasource.url=jdbc:h2:mem:" + name);
	}

	private static void assertTakenAndGivenBack(DistributedLocks locks, String engine) {
		assertThat(locks.engineInForce()).isEqualTo(engine);
		DistributedLock lock = locks.get("a");
		assertThat(lock.tryLock()).isTrue();
		assertThat(lock.fencingToken()).isPositive();
		lock.unlock();
	}

	@Test
	void anAnnotationWithoutAnyEngineFailsTheStart() {
		this.runner.withBean(Plain.class)
			.run((context) -> assertThat(context).getFailure()
				.isInstanceOf(StartUpException.class)
				.hasMessageContaining("Locks are used, but there is no engine for them"));
	}

	@Test
	void oneOfTwoRedissonClientsMustBePrimary() {
		ApplicationContextRunner two = this.runner.withBean("one", RedissonClient.class, Mockito::mock);
		ApplicationContextRunner ambiguous = two.withBean("other", RedissonClient.class, Mockito::mock);
		ambiguous.run((context) -> assertThat(context).hasNotFailed());
		for (ApplicationContextRunner locked : List.of(ambiguous.withBean(Plain.class),
				ambiguous.withPropertyValues("idempotent.lock.engines=redisson"))) {
			locked.run((context) -> assertThat(context).getFailure()
				.hasStackTraceContaining(StartUpException.class.getName())
				.hasStackTraceContaining("none of the RedissonClient beans is @Primary: one, other")
				.hasStackTraceContaining("Mark the one of the Redis that keeps the locks as @Primary"));
		}
		two.withBean("other", RedissonClient.class, Mockito::mock, (definition) -> {
			definition.setPrimary(true);
			definition.setLazyInit(true);
		}).withBean(Plain.class).run((context) -> {
			assertThat(context.getBean(DistributedLocks.class).engineInForce()).isEqualTo("redisson");
			assertThat(context.getBeanFactory().containsSingleton("other")).isFalse();
		});
	}

	@Test
	void twoAnonymousClassesShareNoLockByChance() {
		Runnable job = new Runnable() {

			@Override
			@DistributedLocked
			public void run() {
			}

		};
		this.local.withBean(Runnable.class, () -> job)
			.run((context) -> assertThat(context).getFailure()
				.isInstanceOf(StartUpException.class)
				.hasMessageContainingAll("@DistributedLocked", job.getClass().getName() + " is anonymous",
						"@DistributedLocked(name = \"…\")"));
	}

	@Test
	void anAnnotationThatContradictsItsMethodFailsTheStart() {
		assertInvalid(Later.class,
				"returns a java.util.concurrent.CompletableFuture, so that the lock would be released");
		assertInvalid(Static.class, "Static.run is static: no proxy can intercept its calls");
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '~',
			textBlock = """
					primitive | returns int, which cannot represent a skipped call
					suspending | is a suspend function, which goes on on other threads
					badKey | names #nobody, but the parameters of the method are [id]
					badTime | its waitTime "soon" is not a duration: write it as 500ms or 30s
					negativeWait | its waitTime is -1s, but it must not be negative: write 0s to ask once
					badLease | lease is 1ms, but it must be at least 10ms
					otherEngine | There is no lock engine 'etcd': idempotent.lock.engines names [local]
					noHandler | is not a bean: define one
					fencedReader | it is fenced, but its mode is READ
					badName | A lock name contains no white space
					maximumBelowMinimum | holdAtMost is 2m, but it must not be shorter than holdAtLeast
					variableAsName | its name "n:#a" looks like an expression, but a name is taken literally
					templateAsName | its name "n:#{#a}" looks like an expression, but a name is taken literally
					unknownInCondition | The condition expression "amount > 5" never has a value: it reads 'amount' without an object; write #amount
					""")
	void aSettingThatCannotWorkIsRefused(String method, String reason) {
		assertThatExceptionOfType(StartUpException.class).isThrownBy(() -> check(method))
			.withMessageContainingAll("@DistributedLocked Settings." + method, reason);
	}

	@Test
	void aSettingWithAnEffectIsAccepted() {
		check("numberInName");
		check("asynchronous");
		check("maximumAlone");
	}

	private static void check(String method) {
		try (EngineDistributedLocks locks = new EngineDistributedLocks(List.of(new LocalLockEngine()),
				Duration.ofSeconds(30), List.of())) {
			new LockedMethods("shop", Duration.ZERO, UnaryOperator.identity(), new DefaultListableBeanFactory()).check(
					ReflectionUtils.findMethod(Settings.class, method, (Class<?>[]) null), Settings.class, locks,
					false);
		}
	}

	@Test
	void namesArePrefixedWithTheApplicationByDefault() {
		LockEngine engine = engine("own");
		ApplicationContextRunner runner = this.runner.withBean(LockEngine.class, () -> engine);
		assertNamed(runner, engine, "application:lock:order:42");
		runner = runner.withPropertyValues("spring.application.name=shop");
		assertNamed(runner, engine, "shop:lock:order:42");
		assertNamed(runner.withPropertyValues("idempotent.namespace=store"), engine, "store:lock:order:42");
		assertNamed(runner.withPropertyValues("idempotent.namespace=my {fleet}"), engine, "my-fleet-:lock:order:42");
		assertNamed(runner.withPropertyValues("idempotent.lock.namespace=my-fleet"), engine, "my-fleet:lock:order:42");
		assertNamed(runner.withPropertyValues("idempotent.lock.namespace="), engine, "order:42");
	}

	private static void assertNamed(ApplicationContextRunner runner, LockEngine engine, String expected) {
		runner.run((context) -> {
			DistributedLock lock = context.getBean(DistributedLocks.class).get("order:42");
			lock.tryLock();
			assertThat(lastRequest(engine).name()).isEqualTo(expected);
			assertThat(lock.name()).isEqualTo("order:42");
			assertThat(lock.qualifiedName()).isEqualTo(expected);
		});
	}

	private void assertInvalid(Class<?> type, String message) {
		this.local.withBean(type)
			.run((context) -> assertThat(context).getFailure()
				.isInstanceOf(StartUpException.class)
				.hasMessageContaining("@DistributedLocked " + type.getSimpleName() + ".run")
				.hasMessageContaining(message));
	}

	@Test
	void propertiesThatCannotWorkFailTheStart() {
		for (String property : List.of("lease-time=1ms", "wait-time=-1s", "engines=local,local")) {
			this.local.withPropertyValues("idempotent.lock." + property)
				.run((context) -> assertThat(context).as(property)
					.getFailure()
					.rootCause()
					.isInstanceOf(InvalidConfigurationException.class)
					.hasMessageContaining("idempotent.lock." + property.substring(0, property.indexOf('='))));
		}
	}

	@Test
	void propertiesFillUnsetOptions() {
		LockEngine engine = engine("own");
		this.runner.withBean(LockEngine.class, () -> engine)
			.withPropertyValues("idempotent.lock.lease-time=7s")
			.run((context) -> {
				DistributedLocks locks = context.getBean(DistributedLocks.class);
				locks.get("a").tryLock();
				assertThat(lastRequest(engine).lease()).isEqualTo(Duration.ofSeconds(7));
				locks.get("b", LockOptions.DEFAULTS.withLease(Duration.ofSeconds(9))).tryLock();
				assertThat(lastRequest(engine).lease()).isEqualTo(Duration.ofSeconds(9));
			});
	}

	/** Grants nothing. */
	private static LockEngine engine(String name) {
		LockEngine engine = mock(LockEngine.class, Mockito.CALLS_REAL_METHODS);
		given(engine.name()).willReturn(name);
		return engine;
	}

	private record TestCustomizer(List<LockEngine> replacement) implements LockEnginesCustomizer {

		@Override
		public List<LockEngine> customize(List<LockEngine> engines, String namePrefix) {
			return this.replacement;
		}

		@Override
		public boolean writesEntryOf(String engine, List<String> engines) {
			return false;
		}

	}

	private static LockRequest lastRequest(LockEngine engine) throws InterruptedException {
		ArgumentCaptor<LockRequest> requests = ArgumentCaptor.captor();
		verify(engine, atLeastOnce()).acquire(requests.capture(), any());
		return requests.getValue();
	}

	@Configuration(proxyBeanMethods = false)
	static class OwnDataSource {

		@Bean
		@Primary
		DataSource main() {
			return new SimpleDriverDataSource(new Driver(), "jdbc:h2:mem:own-main;DB_CLOSE_DELAY=-1");
		}

		@Bean
		@LockDataSource
		DataSource locks() {
			return new SimpleDriverDataSource(new Driver(), "jdbc:h2:mem:own-locks;DB_CLOSE_DELAY=-1");
		}

	}

	static class Holder implements DisposableBean {

		private final DistributedLock lock;

		private final LettuceConnectionFactory factory;

		private boolean connected;

		Holder(DistributedLocks locks, LettuceConnectionFactory factory) {
			this.lock = locks.get("stock");
			this.factory = factory;
		}

		@Override
		public void destroy() {
			this.connected = this.factory.isRunning();
			if (this.lock.isHeldByCurrentThread()) {
				this.lock.unlock();
			}
		}

	}

	static class Plain {

		@DistributedLocked
		void run() {
		}

	}

	static class Later {

		@DistributedLocked
		CompletableFuture<String> run() {
			return CompletableFuture.completedFuture("later");
		}

	}

	static class TooLate {

		@Transactional
		@DistributedLocked
		void run() {
		}

	}

	static class Static {

		@DistributedLocked
		static void run() {
		}

	}

	interface Till {

		@DistributedLocked(key = "#id")
		void open(String id);

	}

	interface Shelf {

		@DistributedLocked(key = "#id")
		void fill(String id);

	}

	interface Settings {

		@DistributedLocked(onNotObtained = WhenNotObtained.SKIP)
		int primitive();

		/** What Kotlin makes of {@code suspend fun suspending(): String}. */
		@DistributedLocked
		Object suspending(Continuation<String> continuation);

		@DistributedLocked(key = "#nobody")
		void badKey(String id);

		@DistributedLocked(waitTime = "soon")
		void badTime();

		@DistributedLocked(waitTime = "-1s")
		void negativeWait();

		@DistributedLocked(leaseTime = "1ms")
		void badLease();

		@DistributedLocked(engine = "etcd")
		void otherEngine();

		@DistributedLocked(handler = NotABean.class)
		void noHandler();

		@DistributedLocked(mode = LockMode.READ, fenced = true)
		void fencedReader();

		@DistributedLocked(name = "my job")
		void badName();

		@DistributedLocked(holdAtMost = "2m", holdAtLeast = "3m")
		void maximumBelowMinimum();

		@DistributedLocked(name = "n:#a")
		void variableAsName(String a);

		@DistributedLocked(name = "n:#{#a}")
		void templateAsName(String a);

		@DistributedLocked(condition = "amount > 5")
		void unknownInCondition(int amount);

		@DistributedLocked(name = "build#1")
		void numberInName();

		@Async
		@DistributedLocked
		CompletableFuture<String> asynchronous();

		@DistributedLocked(holdAtMost = "2m")
		void maximumAlone();

	}

	abstract static class NotABean implements LockNotObtainedHandler {

	}

	record LockTemplateUser(LockTemplate template) {

	}

}
