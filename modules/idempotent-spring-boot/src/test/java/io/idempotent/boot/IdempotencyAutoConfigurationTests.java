package io.idempotent.boot;

import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;

import com.github.benmanes.caffeine.cache.Caffeine;
import io.idempotent.IdempotencyEvent;
import io.idempotent.IdempotencyListener;
import io.idempotent.IdempotencyTemplate;
import io.idempotent.IdempotencyTemplate.Entry;
import io.idempotent.OutcomeVerifier;
import io.idempotent.OutcomeVerifier.Verdict;
import io.idempotent.boot.internal.start.StartUpFailureAnalyzer;
import io.idempotent.boot.internal.start.StartUpLine;
import io.idempotent.boot.internal.store.CaffeineOutcomeCache;
import io.idempotent.boot.internal.store.StoreConnection;
import io.idempotent.contract.store.StoreSubmission;
import io.idempotent.jdbc.store.JdbcIdempotencyStore;
import io.idempotent.redis.RedisIdempotencyStore;
import io.idempotent.store.ClaimResult;
import io.idempotent.store.IdempotencyStore;
import io.idempotent.store.OutcomeCache;
import io.idempotent.store.StoreUnavailableException;
import io.idempotent.store.WakeUps;
import io.idempotent.store.local.LocalIdempotencyStore;
import io.idempotent.submission.IdempotencyGate;
import io.idempotent.support.StartUpException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.beans.factory.NoUniqueBeanDefinitionException;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jdbc.init.DataSourceScriptDatabaseInitializer;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.core.NestedExceptionUtils;
import org.springframework.core.Ordered;
import org.springframework.data.redis.connection.RedisConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.BDDMockito.given;
import static org.mockito.Mockito.atLeastOnce;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.never;
import static org.mockito.Mockito.verify;

class IdempotencyAutoConfigurationTests {

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(DataRedisAutoConfiguration.class, IdempotencyAutoConfiguration.class,
				IdempotencyCallAutoConfiguration.class));

	private final PushingStore store = mock();

	private final ApplicationContextRunner waiting = this.runner.withBean(IdempotencyStore.class, () -> this.store)
		.withPropertyValues("idempotent.defaults.when-in-progress=wait", "idempotent.defaults.wait-timeout=1ms");

	private final ApplicationContextRunner localRunner = this.runner.withPropertyValues("idempotent.store.type=local");

	private final ApplicationContextRunner jdbcRunner = this.runner
		.withConfiguration(AutoConfigurations.of(DataSourceAutoConfiguration.class))
		.withPropertyValues("idempotent.store.type=jdbc",
				"spring.datasource.url=jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1");

	@Test
	void recordsAreKeptInTheRedisOfTheApplication() {
		this.runner.run((context) -> {
			assertThat(context).hasSingleBean(IdempotencyGate.class);
			assertThat(context).getBean(IdempotencyStore.class).isInstanceOf(RedisIdempotencyStore.class);
			assertThat(context).hasSingleBean(StoreConnection.class);
		});
	}

	@Test
	void recordsAreKeptInThisJvmWhenAskedFor() {
		this.localRunner.run((context) -> {
			assertThat(context).getBean(IdempotencyStore.class).isInstanceOf(LocalIdempotencyStore.class);
			assertThat(context).doesNotHaveBean(StoreConnection.class);
		});
	}

	@Test
	void theLocalStoreIsNeverADefault() {
		new ApplicationContextRunner().withConfiguration(AutoConfigurations.of(IdempotencyAutoConfiguration.class))
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.isInstanceOf(StartUpException.class)
				.hasMessageContaining("RedisConnectionFactory"));
	}

	@Test
	void recordsAreKeptInTheDatabaseOfTheApplicationWhenAskedFor() {
		this.jdbcRunner.run((context) -> {
			assertThat(context).getBean(IdempotencyStore.class).isInstanceOf(JdbcIdempotencyStore.class);
			StoreSubmission first = StoreSubmission.to(context.getBean(IdempotencyStore.class));
			first.granted();
			assertThat(first.again().claim()).isInstanceOf(ClaimResult.InProgress.class);
		});
	}

	@Test
	void theTableOfRecordsHasTheNameThatIsGiven() {
		this.jdbcRunner.withPropertyValues("idempotent.store.jdbc.table=elsewhere")
			.run((context) -> assertThatExceptionOfType(StoreUnavailableException.class)
				.isThrownBy(() -> StoreSubmission.to(context.getBean(IdempotencyStore.class)).claim())
				.withMessageContaining("ELSEWHERE"));
	}

	@Test
	void withoutADataSourceTheJdbcStoreIsMissing() {
		this.runner.withPropertyValues("idempotent.store.type=jdbc").run((context) -> {
			Throwable failure = NestedExceptionUtils.getRootCause(context.getStartupFailure());
			assertThat(failure).isInstanceOf(StartUpException.class)
				.hasMessageContaining("The jdbc store was chosen")
				.hasMessageContaining("no DataSource bean");
			assertThat(new StartUpFailureAnalyzer(null).analyze(failure).getAction()).contains("spring.datasource.url");
		});
	}

	@ParameterizedTest
	@ValueSource(strings = { "redis", "local", "jdbc" })
	void theUsersOwnStoreWins(String type) {
		IdempotencyStore own = mock();
		this.jdbcRunner.withBean(IdempotencyStore.class, () -> own)
			.withPropertyValues("idempotent.store.type=" + type)
			.run((context) -> {
				assertThat(context).getBean(IdempotencyStore.class).isSameAs(own);
				assertThat(context).doesNotHaveBean(StoreConnection.class)
					.doesNotHaveBean(DataSourceScriptDatabaseInitializer.class);
			});
	}

	@ParameterizedTest
	@ValueSource(
			classes = { IdempotencyStore.class, RedisConnectionFactory.class, WakeUps.class, OutcomeVerifier.class })
	<T> void theUserChoosesBetweenTwo(Class<T> type) {
		this.runner.withBean("one", type, () -> mock(type))
			.withBean("other", type, () -> mock(type))
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.isInstanceOf(NoUniqueBeanDefinitionException.class)
				.hasMessageContaining("one,other"));
	}

	@Test
	void withoutSpringDataRedisTheLocalStoreWorks() {
		this.localRunner.withClassLoader(new FilteredClassLoader("org.springframework.data.redis"))
			.run((context) -> assertThat(context).hasNotFailed().hasSingleBean(LocalIdempotencyStore.class));
	}

	@Test
	void thePrimaryConnectionFactoryIsTaken() {
		RedisConnectionFactory other = mock();
		RedisConnectionFactory primary = mock();
		this.runner.withBean("other", RedisConnectionFactory.class, () -> other)
			.withBean("primary", RedisConnectionFactory.class, () -> primary,
					(definition) -> definition.setPrimary(true))
			.run((context) -> {
				enter(context);
				verify(primary, atLeastOnce()).getConnection();
				verify(other, never()).getConnection();
			});
	}

	@Test
	void theChosenStoreWakesWaiters() {
		this.waiting.run((context) -> {
			waitFor(context);
			verify(this.store).subscribe(any(), any());
		});
	}

	@Test
	void wakeUpsOfTheUserReplaceThoseOfTheStore() {
		WakeUps own = mock();
		this.waiting.withBean("own", WakeUps.class, () -> own).run((context) -> {
			waitFor(context);
			verify(own).subscribe(any(), any());
			verify(this.store, never()).subscribe(any(), any());
		});
	}

	@Test
	void theUsersOwnGateNeedsNoStore() {
		IdempotencyGate own = new IdempotencyGate.Builder(mock()).build();
		new ApplicationContextRunner().withConfiguration(AutoConfigurations.of(IdempotencyAutoConfiguration.class))
			.withBean(IdempotencyGate.class, () -> own)
			.run((context) -> assertThat(context).getBean(IdempotencyGate.class).isSameAs(own));
	}

	@Test
	void completedOutcomesAreKeptNearBy() {
		this.runner
			.run((context) -> assertThat(context).getBean(OutcomeCache.class).isInstanceOf(CaffeineOutcomeCache.class));
	}

	@Test
	void theNearCacheCanBeSwitchedOff() {
		this.localRunner.withPropertyValues("idempotent.store.near-cache.enabled=false").run((context) -> {
			assertThat(context).doesNotHaveBean(OutcomeCache.class);
			assertThat(enter(context)).isInstanceOf(Entry.Proceed.class);
		});
	}

	@Test
	void theStartSaysWhetherThereIsANearCache() {
		ApplicationContextRunner start = this.localRunner
			.withConfiguration(AutoConfigurations.of(StartUpAutoConfiguration.class));
		start.run((context) -> assertThat(context.getBean(StartUpLine.class).text()).contains("with a near cache"));
		start.withClassLoader(new FilteredClassLoader(Caffeine.class))
			.run((context) -> assertThat(context.getBean(StartUpLine.class).text()).contains("without a near cache"));
	}

	@Test
	void theUsersOwnCacheWins() {
		OutcomeCache own = mock();
		this.localRunner.withBean(OutcomeCache.class, () -> own).run((context) -> {
			assertThat(context).getBean(OutcomeCache.class).isSameAs(own);
			enter(context);
			verify(own).find(any());
		});
	}

	@Test
	void aCacheOfTheUserIsUsedEvenIfOursIsSwitchedOff() {
		OutcomeCache own = mock();
		this.localRunner.withPropertyValues("idempotent.store.near-cache.enabled=false")
			.withBean(OutcomeCache.class, () -> own)
			.run((context) -> {
				enter(context);
				verify(own).find(any());
			});
	}

	@Test
	void theUsersVerifierIsAsked() {
		OutcomeVerifier verifier = mock();
		given(verifier.verify(any())).willReturn(Verdict.CANNOT_TELL);
		IdempotencyStore store = mock();
		given(store.claim(any())).willReturn(new ClaimResult.Granted(2, true));
		this.runner.withBean(IdempotencyStore.class, () -> store)
			.withBean(OutcomeVerifier.class, () -> verifier)
			.withPropertyValues("idempotent.defaults.when-unknown=ask")
			.run((context) -> {
				enter(context);
				verify(verifier).verify(any());
			});
	}

	@Test
	void listenersAreCalledInTheirOrder() {
		List<String> heard = new CopyOnWriteArrayList<>();
		this.localRunner.withBean("late", OrderedListener.class, () -> new OrderedListener(2, "late", heard))
			.withBean("early", OrderedListener.class, () -> new OrderedListener(1, "early", heard))
			.run((context) -> {
				enter(context);
				assertThat(heard).containsExactly("early GRANTED", "late GRANTED");
			});
	}

	@Test
	void thePropertyLimitsTheNumberOfWaiters() {
		this.waiting.withPropertyValues("idempotent.wait.max-waiters=0").run((context) -> {
			waitFor(context);
			verify(this.store, never()).subscribe(any(), any());
		});
	}

	private void waitFor(ApplicationContext context) {
		given(this.store.claim(any())).willReturn(new ClaimResult.InProgress(Duration.ofMillis(1)));
		enter(context);
	}

	private static Entry<?> enter(ApplicationContext context) {
		return context.getBean(IdempotencyTemplate.class).before("order", "1");
	}

	private interface PushingStore extends IdempotencyStore, WakeUps {

	}

	private record OrderedListener(int order, String name, List<String> heard) implements IdempotencyListener, Ordered {

		@Override
		public int getOrder() {
			return this.order;
		}

		@Override
		public void onEvent(IdempotencyEvent event) {
			this.heard.add(this.name + " " + event.type());
		}

	}

}
