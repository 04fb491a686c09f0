package io.idempotent.webmvc;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

import io.idempotent.store.ClaimId;
import io.idempotent.store.ClaimRequest;
import io.idempotent.store.ClaimResult;
import io.idempotent.store.IdempotencyStore;
import io.idempotent.store.OperationKey;
import io.idempotent.store.Outcome;
import io.idempotent.store.StoreUnavailableException;
import io.idempotent.store.local.LocalIdempotencyStore;
import io.idempotent.webmvc.internal.key.SharedSigningKeys;
import io.idempotent.webmvc.internal.key.SignedTokens;
import io.idempotent.webmvc.internal.key.SigningKeys.SigningKey;
import io.idempotent.webmvc.internal.key.TokenService;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Secrets that nodes agree on through their store.
 */
class SharedSigningKeysTests {

	private static final Duration LIFE = Duration.ofMinutes(10);

	private final AdjustableClock clock = new AdjustableClock(Instant.parse("2030-01-01T12:00:00Z"));

	private final CountingStore store = new CountingStore();

	private final SharedSigningKeys node = node();

	private SharedSigningKeys node() {
		return new SharedSigningKeys(this.store, "shop", this.clock);
	}

	@Test
	void anotherNodeRecognisesAToken() {
		TokenService one = new SignedTokens("shop", LIFE, this.node, this.clock);
		TokenService other = new SignedTokens("shop", LIFE, node(), this.clock);
		String token = one.issue(List.of(), TokenService.ANY_OPERATION, LIFE);
		assertThat(other.recognise(token, List.of(), "pay")).isNotNull();
		assertThat(other.recognise(one.generate("pay"), List.of(), "pay")).isNull();
	}

	@Test
	void nodesThatStartTogetherCreateOneSecret() throws Exception {
		ExecutorService nodes = Executors.newFixedThreadPool(8);
		try {
			Set<SigningKey> keys = ConcurrentHashMap.newKeySet();
			for (var key : nodes.invokeAll(
					IntStream.range(0, 32).<Callable<SigningKey>>mapToObj((i) -> () -> node().active(LIFE)).toList())) {
				keys.add(key.get());
			}
			assertThat(keys).hasSize(1);
		}
		finally {
			nodes.shutdown();
		}
	}

	@Test
	void aSecretIsReadOnceAMinute() {
		SigningKey key = this.node.active(LIFE);
		int asked = this.store.asked.get();
		for (int i = 0; i < 100; i++) {
			assertThat(this.node.active(LIFE)).isEqualTo(key);
			assertThat(this.node.find(key.id())).isEqualTo(key);
		}
		assertThat(this.store.asked).hasValue(asked);
		this.clock.forward(Duration.ofMinutes(2));
		assertThat(this.node.active(LIFE)).isEqualTo(key);
		assertThat(this.store.asked).hasValue(asked + 1);
	}

	@Test
	void eachDayHasASecretAndThatOfTheDayBeforeIsFound() {
		SigningKey yesterday = this.node.active(LIFE);
		this.clock.forward(Duration.ofDays(1));
		SigningKey today = this.node.active(LIFE);
		assertThat(today.id()).isNotEqualTo(yesterday.id());
		assertThat(today.secret()).isNotEqualTo(yesterday.secret());
		assertThat(node().find(yesterday.id())).isEqualTo(yesterday);
	}

	@Test
	void whatClientsMakeUpCreatesNothing() {
		for (String id : List.of("", "d", "k1", "d0", "d999999999", "d9999999999", "d-1")) {
			assertThat(this.node.find(id)).as(id).isNull();
		}
		assertThat(this.store.asked).hasValue(0);
		String today = "d" + this.clock.instant().getEpochSecond() / 86_400;
		for (int i = 0; i < 100; i++) {
			assertThat(this.node.find(today)).isNull();
		}
		assertThat(this.store.asked).hasValue(1);
		assertThat(this.node.active(LIFE).id()).isEqualTo(today);
	}

	@Test
	void aKnownSecretIsUsedWhileTheStoreFails() {
		SigningKey key = this.node.active(LIFE);
		this.store.failing = true;
		this.clock.forward(Duration.ofMinutes(5));
		assertThat(this.node.active(LIFE)).isEqualTo(key);
		assertThat(this.node.find(key.id())).isEqualTo(key);
		assertThatExceptionOfType(StoreUnavailableException.class).isThrownBy(() -> node().active(LIFE));
	}

	@Test
	void nodesAgreeAgainAfterTheStoreHasLostASecret() {
		SharedSigningKeys other = node();
		SigningKey lost = this.node.active(LIFE);
		assertThat(other.active(LIFE)).isEqualTo(lost);
		this.store.records = new LocalIdempotencyStore(100);
		this.clock.forward(Duration.ofMinutes(2));
		assertThat(this.node.active(LIFE)).isNotEqualTo(lost).isEqualTo(other.active(LIFE));
	}

	@Test
	void aTokenMayNotOutliveItsSecret() {
		assertThat(this.node.active(Duration.ofDays(90))).isNotNull();
		assertThatIllegalArgumentException().isThrownBy(() -> this.node.active(Duration.ofDays(91)))
			.withMessageContaining("idempotent.token.signing.keys");
	}

	@Test
	void aTokenThatIsUsedLateIsRecognisedForTheLongestRetention() {
		TokenService tokens = new SignedTokens("shop", LIFE, this.node, this.clock);
		String token = tokens.issue(List.of(), "pay", SharedSigningKeys.LONGEST_LIFE);
		this.clock.forward(SharedSigningKeys.LONGEST_LIFE.minusHours(1));
		assertThat(tokens.recognise(token, List.of(), "pay")).isNotNull();
		this.clock.forward(Duration.ofDays(365));
		assertThat(tokens.recognise(token, List.of(), "pay")).isNotNull();
	}

	@Test
	void aSecretHasOneName() {
		SigningKey key = this.node.active(LIFE);
		assertThat(this.node.find("d0" + key.id().substring(1))).isNull();
	}

	@Test
	void theLastSecretIsUsedWhileTheStoreFailsOverMidnights() {
		SigningKey last = this.node.active(LIFE);
		this.clock.forward(Duration.ofDays(2));
		this.store.failing = true;
		assertThat(this.node.active(LIFE)).isEqualTo(last);
		this.clock.forward(Duration.ofDays(28));
		assertThat(this.node.active(LIFE)).isEqualTo(last);
		this.clock.forward(Duration.ofDays(1));
		assertThatExceptionOfType(StoreUnavailableException.class).isThrownBy(() -> this.node.active(LIFE));
		this.store.failing = false;
		assertThat(this.node.active(LIFE)).isNotEqualTo(last);
	}

	@Test
	void aSecretThatASlowNodeCreatesAfterMidnightIsSoonFound() {
		AdjustableClock slow = new AdjustableClock(Instant.parse("2030-01-01T23:59:59Z"));
		this.clock.forward(Duration.ofHours(12).plusSeconds(1));
		String yesterday = "d" + slow.instant().getEpochSecond() / 86_400;
		assertThat(this.node.find(yesterday)).isNull();
		SigningKey created = new SharedSigningKeys(this.store, "shop", slow).active(LIFE);
		this.clock.forward(Duration.ofSeconds(2));
		assertThat(this.node.find(yesterday)).isEqualTo(created);
	}

	@Test
	void aSecretThatIsCreatedAfterItWasAskedForIsSoonFound() {
		SharedSigningKeys other = node();
		this.clock.forward(Duration.ofDays(1).minusSeconds(1));
		long tomorrow = this.clock.instant().plus(Duration.ofDays(1)).getEpochSecond() / 86_400;
		assertThat(other.find("d" + tomorrow)).isNull();
		this.clock.forward(Duration.ofDays(1));
		SigningKey key = this.node.active(LIFE);
		assertThat(key.id()).isEqualTo("d" + tomorrow);
		assertThat(other.find(key.id())).isEqualTo(key);
	}

	@Test
	void anAnswerThatIsLateDoesNotHideASecret() {
		String today = "d" + this.clock.instant().getEpochSecond() / 86_400;
		SigningKey[] created = new SigningKey[1];
		this.store.afterNextClaim = () -> created[0] = this.node.active(LIFE);
		assertThat(this.node.find(today)).isNull();
		assertThat(this.node.find(today)).isEqualTo(created[0]);
	}

	private static final class CountingStore implements IdempotencyStore {

		private volatile IdempotencyStore records = new LocalIdempotencyStore(100);

		private final AtomicInteger asked = new AtomicInteger();

		private volatile boolean failing;

		private volatile Runnable afterNextClaim = () -> {
		};

		@Override
		public void issue(OperationKey key, Duration timeToLive) {
			throw new UnsupportedOperationException();
		}

		@Override
		public ClaimResult claim(ClaimRequest request) {
			this.asked.incrementAndGet();
			if (this.failing) {
				throw new StoreUnavailableException("away", null);
			}
			ClaimResult result = this.records.claim(request);
			Runnable action = this.afterNextClaim;
			this.afterNextClaim = () -> {
			};
			action.run();
			return result;
		}

		@Override
		public Ownership renew(ClaimId claim, Duration lease) {
			throw new UnsupportedOperationException();
		}

		@Override
		public Ownership complete(ClaimId claim, Outcome outcome, Duration retention) {
			return this.records.complete(claim, outcome, retention);
		}

		@Override
		public Ownership release(ClaimId claim, Release release) {
			throw new UnsupportedOperationException();
		}

	}

}
