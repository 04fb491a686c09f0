package io.idempotent.boot;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;

import com.github.benmanes.caffeine.cache.Caffeine;
import io.idempotent.IdempotencyEvent;
import io.idempotent.IdempotencyListener;
import io.idempotent.OutcomeVerifier;
import io.idempotent.OutcomeVerifier.Verdict;
import io.idempotent.WhenCompleted;
import io.idempotent.WhenFailed;
import io.idempotent.WhenInProgress;
import io.idempotent.WhenStoreFails;
import io.idempotent.WhenUnknown;
import io.idempotent.boot.internal.start.StartUpFailureAnalyzer;
import io.idempotent.boot.internal.start.StartUpLine;
import io.idempotent.boot.internal.store.StoreConnection;
import io.idempotent.boot.settings.InvalidConfigurationException;
import io.idempotent.contract.store.StoreSubmission;
import io.idempotent.engine.Decision;
import io.idempotent.engine.IdempotencyGate;
import io.idempotent.engine.IdempotencyGateBuilder;
import io.idempotent.engine.SubmissionContext;
import io.idempotent.engine.claim.Submission;
import io.idempotent.engine.event.GateListener.Entrance;
import io.idempotent.engine.policy.OperationPolicy;
import io.idempotent.jdbc.store.JdbcIdempotencyStore;
import io.idempotent.redis.RedisIdempotencyStore;
import io.idempotent.store.ClaimRequest.Admission;
import io.idempotent.store.ClaimResult;
import io.idempotent.store.Fingerprint;
import io.idempotent.store.IdempotencyStore;
import io.idempotent.store.OperationKey;
import io.idempotent.store.OutcomeCache;
import io.idempotent.store.StoreUnavailableException;
import io.idempotent.store.WakeUps;
import io.idempotent.store.cache.CaffeineOutcomeCache;
import io.idempotent.store.local.LocalIdempotencyStore;
import io.idempotent.support.Digest;
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
		.withConfiguration(AutoConfigurations.of(DataRedisAutoConfiguration.class, IdempotencyAutoConfiguration.class));

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
	void theTableOfRecordsIsLeftToOthersOnRequest() {
		this.jdbcRunner.withPropertyValues("idempotent.initialize-schema=never")
			.run((context) -> assertThatExceptionOfType(StoreUnavailableException.class)
				.isThrownBy(() -> StoreSubmission.to(context.getBean(IdempotencyStore.class)).claim())
				.withMessageContaining("idempotent_record"));
	}

	@Test
	void theTableOfRecordsHasTheNameThatIsGiven() {
		this.jdbcRunner.withPropertyValues("idempotent.store.jdbc.table=elsewhere")
			.run((context) -> assertThatExceptionOfType(StoreUnavailableException.class)
				.isThrownBy(() -> StoreSubmission.to(context.getBean(IdempotencyStore.class)).claim())
				.withMessageContaining("ELSEWHERE"));
		this.jdbcRunner.withPropertyValues("idempotent.store.jdbc.table=no table")
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.isInstanceOf(InvalidConfigurationException.class)
				.hasMessageContaining("idempotent.store.jdbc.table is 'no table'"));
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
				enter(context.getBean(IdempotencyGate.class));
				verify(primary, atLeastOnce()).getConnection();
				verify(other, never()).getConnection();
			});
	}

	@Test
	void theChosenStoreWakesWaiters() {
		PushingStore own = mock();
		this.runner.withBean(IdempotencyStore.class, () -> own).run((context) -> {
			waitFor(context.getBean(IdempotencyGate.class), own);
			verify(own).subscribe(any(), any());
		});
	}

	@Test
	void wakeUpsOfTheUserReplaceThoseOfTheStore() {
		PushingStore store = mock();
		WakeUps own = mock();
		this.runner.withBean(IdempotencyStore.class, () -> store)
			.withBean("own", WakeUps.class, () -> own)
			.run((context) -> {
				waitFor(context.getBean(IdempotencyGate.class), store);
				verify(own).subscribe(any(), any());
				verify(store, never()).subscribe(any(), any());
			});
	}

	@Test
	void theUsersOwnGateNeedsNoStore() {
		IdempotencyGate own = new IdempotencyGateBuilder(mock()).build();
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
			assertThat(enter(context.getBean(IdempotencyGate.class))).isInstanceOf(Decision.Run.class);
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
			enter(context.getBean(IdempotencyGate.class));
			verify(own).find(any());
		});
	}

	@Test
	void aCacheOfTheUserIsUsedEvenIfOursIsSwitchedOff() {
		OutcomeCache own = mock();
		this.localRunner.withPropertyValues("idempotent.store.near-cache.enabled=false")
			.withBean(OutcomeCache.class, () -> own)
			.run((context) -> {
				enter(context.getBean(IdempotencyGate.class));
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
			.run((context) -> {
				enter(context.getBean(IdempotencyGate.class));
				verify(verifier).verify(any());
			});
	}

	@Test
	void listenersAreCalledInTheirOrder() {
		List<String> heard = new CopyOnWriteArrayList<>();
		this.localRunner.withBean("late", OrderedListener.class, () -> new OrderedListener(2, "late", heard))
			.withBean("early", OrderedListener.class, () -> new OrderedListener(1, "early", heard))
			.run((context) -> {
				enter(context.getBean(IdempotencyGate.class));
				assertThat(heard).containsExactly("early GRANTED", "late GRANTED");
			});
	}

	@Test
	void idempotentEnabledLeavesNothing() {
		this.runner.withPropertyValues("idempotent.enabled=false")
			.run((context) -> assertThat(context.getBeanDefinitionNames())
				.noneMatch((name) -> name.toLowerCase(Locale.ROOT).contains("idempoten")));
	}

	@Test
	void thePropertyLimitsTheNumberOfWaiters() {
		PushingStore store = mock();
		this.runner.withBean(IdempotencyStore.class, () -> store)
			.withPropertyValues("idempotent.wait.max-waiters=0")
			.run((context) -> {
				waitFor(context.getBean(IdempotencyGate.class), store);
				verify(store, never()).subscribe(any(), any());
			});
	}

	private static Decision enter(IdempotencyGate gate) {
		return enter(gate, WhenInProgress.REJECT);
	}

	private static void waitFor(IdempotencyGate gate, IdempotencyStore store) {
		given(store.claim(any())).willReturn(new ClaimResult.InProgress(Duration.ofMillis(1)));
		enter(gate, WhenInProgress.WAIT);
	}

	private static Decision enter(IdempotencyGate gate, WhenInProgress whenInProgress) {
		return gate
			.enter(Entrance.METHOD, new SubmissionContext(policy(whenInProgress)), submission(), (answer) -> false)
			.decision();
	}

	private static OperationPolicy policy(WhenInProgress whenInProgress) {
		return new OperationPolicy("order", Duration.ofSeconds(30), Duration.ofHours(24), Duration.ofMillis(1),
				WhenCompleted.REPLAY, whenInProgress, WhenUnknown.ASK, WhenFailed.RELEASE, WhenStoreFails.REJECT, false,
				false, "");
	}

	private static Submission submission() {
		return new Submission(OperationKey.of("shop", "order", List.of(), "1"), "1",
				new Fingerprint(Digest.sha256().add("tea").build()), Admission.OPEN, Duration.ZERO);
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
