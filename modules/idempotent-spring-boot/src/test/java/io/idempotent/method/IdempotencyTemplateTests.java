package io.idempotent.method;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.NullNode;
import com.google.gson.JsonParser;
import io.idempotent.IdempotencyContext;
import io.idempotent.IdempotencyEvent;
import io.idempotent.IdempotencyListener;
import io.idempotent.IdempotencyTemplate;
import io.idempotent.IdempotencyTemplate.Attempt;
import io.idempotent.IdempotencyTemplate.Entry;
import io.idempotent.Refusal;
import io.idempotent.SubmissionRefusedException;
import io.idempotent.boot.IdempotencyAutoConfiguration;
import io.idempotent.boot.IdempotencyCallAutoConfiguration;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.assertj.core.api.ThrowingConsumer;
import org.json.JSONArray;
import org.json.JSONObject;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.core.ParameterizedTypeReference;
import org.springframework.util.function.ThrowingFunction;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Operations in code: around a callback, and before and after what cannot be wrapped.
 */
class IdempotencyTemplateTests {

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withConfiguration(
				AutoConfigurations.of(IdempotencyAutoConfiguration.class, IdempotencyCallAutoConfiguration.class))
		.withPropertyValues("idempotent.store.type=local", "idempotent.operations.reluctant.when-completed=reject");

	private final AtomicInteger runs = new AtomicInteger();

	@Test
	void aRepeatGetsTheFirstResult() {
		run((template) -> {
			assertThat(pay(template, "o-1")).isEqualTo(new Payment(1, BigDecimal.ONE));
			assertThat(pay(template, "o-1")).isEqualTo(new Payment(1, BigDecimal.ONE));
			assertThat(pay(template, "o-2")).isEqualTo(new Payment(2, BigDecimal.ONE));
		});
	}

	@Test
	void aGenericResultComesBack() {
		run((template) -> {
			for (int i = 0; i < 2; i++) {
				List<Payment> payments = template.execute("list", "k", new ParameterizedTypeReference<List<Payment>>() {
				}.getType(), (context) -> List.of(new Payment(this.runs.incrementAndGet(), BigDecimal.TEN)));
				assertThat(payments).containsExactly(new Payment(1, BigDecimal.TEN));
			}
		});
	}

	@Test
	void mapsAndObjectsAreOneKeyInAnyOrder() {
		Map<String, Object> one = new LinkedHashMap<>();
		one.put("number", 7);
		one.put("amount", Map.of("cents", 100, "currency", "EUR"));
		Map<String, Object> other = new LinkedHashMap<>();
		other.put("amount", new Amount("EUR", 100));
		other.put("number", 7L);
		assertRuns(1, one, other, new Bill(new Amount("EUR", 100), 7));
	}

	@Test
	void objectsThatDifferAreTwoKeys() {
		assertRuns(2, new Bill(new Amount("EUR", 100), 7), new Bill(new Amount("EUR", 101), 7));
	}

	@ParameterizedTest
	@MethodSource("libraries")
	void aTreeAndAnObjectOfItsJsonAreOneKey(ThrowingFunction<String, Object> library) {
		Object tree = library.apply("{\"amount\": {\"currency\": \"EUR\", \"cents\": 100}, \"number\": 7}");
		Object same = library.apply("{\"number\":7,\"amount\":{\"cents\":100,\"currency\":\"EUR\"}}");
		Bill bill = new Bill(new Amount("EUR", 100), 7);
		assertRuns(3, tree, same, bill, List.of("pay", tree), List.of("pay", bill), new Command("pay", tree),
				Map.of("type", "pay", "payload", bill));
	}

	@ParameterizedTest
	@MethodSource("libraries")
	void treesThatDifferAreTwoKeys(ThrowingFunction<String, Object> library) {
		Object tree = library.apply("{\"number\":7}");
		Object other = library.apply("{\"number\":8}");
		assertRuns(6, tree, other, List.of("pay", tree), List.of("pay", other), new Command("pay", tree),
				new Command("pay", other));
	}

	static Stream<ThrowingFunction<String, Object>> libraries() {
		return Stream.of(JsonMapper.shared()::readTree, new ObjectMapper()::readTree, JSONObject::new,
				JsonParser::parseString);
	}

	@Test
	void anArrayOfAnotherLibraryCountsAsAList() {
		assertRuns(1, new JSONArray(List.of(1, 2)), List.of(1, 2));
	}

	@Test
	void aMissingNodeIsRefused() {
		run((template) -> {
			for (Object missing : List.of(MissingNode.getInstance(), new Command("pay", MissingNode.getInstance()))) {
				assertThatIllegalArgumentException()
					.isThrownBy(() -> template.executeWithoutResult("op", missing, (context) -> {
					}))
					.withMessageContaining("is not JSON");
			}
		});
	}

	@Test
	void aTextAndAnObjectOfThatJsonAreTwoKeys() {
		assertRuns(2, Map.of("a", 1), "{\"a\":1}");
	}

	@Test
	void aNumberAndItsTextAreOneKey() {
		assertRuns(1, 7, "7");
	}

	@Test
	void anOptionalCountsAsItsContent() {
		assertRuns(1, Optional.of("7"), "7");
	}

	private void assertRuns(int expected, Object... keys) {
		run((template) -> {
			for (Object key : keys) {
				template.executeWithoutResult("op", key, (context) -> this.runs.incrementAndGet());
			}
		});
		assertThat(this.runs).hasValue(expected);
	}

	@Test
	void withoutContentThereIsNoKey() {
		run((template) -> {
			for (Object nothing : new Object[] { null, "", Map.of(), List.of(), Optional.empty(), Optional.of(""),
					OptionalInt.empty(), new String[0], new AtomicReference<String>(), NullNode.getInstance(),
					new JSONObject() }) {
				refuses(Refusal.KEY_MISSING, () -> template.executeWithoutResult("op", nothing, (context) -> {
				}));
				refuses(Refusal.KEY_MISSING, () -> template.before("op", nothing));
			}
			assertThatIllegalArgumentException()
				.isThrownBy(() -> template.executeWithoutResult("op", new Object(), (context) -> {
				}))
				.withMessageContaining("java.lang.Object");
		});
	}

	@Test
	void anOperationWhoseResultCannotBeStoredIsCompleted() {
		run((template) -> {
			((Entry.Proceed<Fatal>) template.before("op", "k", Fatal.class)).attempt().succeeded(new Fatal());
			assertThat(template.before("op", "k", Fatal.class)).isInstanceOf(Entry.Duplicate.class);
			assertThat(template.execute("op", "other", Fatal.class, (context) -> new Fatal())).isNotNull();
			refuses(Refusal.RESPONSE_UNAVAILABLE, () -> template.execute("op", "other", Fatal.class, (context) -> {
				this.runs.incrementAndGet();
				return new Fatal();
			}));
			assertThat(this.runs).hasValue(0);
		});
	}

	/**
	 * A result that cannot be written.
	 */
	static final class Fatal {

		@SuppressWarnings("DoNotCallSuggester")
		public String getText() {
			throw new NoClassDefFoundError("a library of another version");
		}

	}

	@Test
	void theContextIsAvailableInsideOnly() {
		run((template) -> {
			assertThat(template.current()).isEmpty();
			template.executeWithoutResult("outer", "k", (outer) -> {
				assertThat(template.current()).containsSame(outer);
				template.executeWithoutResult("inner", "k",
						(inner) -> assertThat(template.current()).containsSame(inner).get().isNotSameAs(outer));
				assertThat(template.current()).containsSame(outer);
				assertThat(outer.operation()).isEqualTo("outer");
				assertThat(outer.attempt()).isEqualTo(1);
				assertThat(outer.derivedKey("charge")).hasSize(43).isNotEqualTo(outer.key());
				assertThat(outer.isClaimLost()).isFalse();
			});
			assertThat(template.current()).isEmpty();
		});
	}

	@Test
	void aResultThatIsKeptOutOfTheStoreIsNotReplayed() {
		run((template) -> {
			String secret = template.execute("op", "k", String.class, (context) -> {
				context.doNotStoreAnswer();
				return "secret";
			});
			assertThat(secret).isEqualTo("secret");
			refuses(Refusal.RESPONSE_UNAVAILABLE,
					() -> template.execute("op", "k", String.class, (context) -> "again"));
		});
	}

	@Test
	void aCallWithTheSameKeyInsideTheCodeBelongsToItsRun() {
		run((template) -> {
			String result = template.execute("op", "k", String.class,
					(outer) -> "outer " + template.execute("op", "k", String.class, (inner) -> "inner"));
			assertThat(result).isEqualTo("outer inner");
			assertThat(template.execute("op", "k", String.class, (context) -> "again")).isEqualTo("outer inner");
		});
	}

	@Test
	void aCallWithADerivedKeyRunsOnceInAllAttempts() {
		run((template) -> {
			for (int attempt = 1; attempt <= 2; attempt++) {
				assertThatIllegalStateException().isThrownBy(() -> template.executeWithoutResult("op", "k", (outer) -> {
					assertThat(template.execute("charge", outer.derivedKey("charge"), Integer.class,
							(inner) -> this.runs.incrementAndGet()))
						.isEqualTo(1);
					throw new IllegalStateException("planned");
				})).withMessage("planned");
			}
		});
	}

	@Test
	void aResultOfAnotherTypeIsUnreadableAndDoesNotRunAgain() {
		List<IdempotencyEvent> events = new ArrayList<>();
		this.runner.withBean(IdempotencyListener.class, () -> events::add).run((context) -> {
			IdempotencyTemplate template = context.getBean(IdempotencyTemplate.class);
			assertThat(template.execute("op", "k", String.class, (run) -> "text")).isEqualTo("text");
			refuses(Refusal.RECORD_UNREADABLE, () -> template.execute("op", "k", Payment.class, (run) -> {
				this.runs.incrementAndGet();
				return new Payment(1, BigDecimal.ONE);
			}));
			assertThat(this.runs).hasValue(0);
			assertThat(events).last()
				.extracting(IdempotencyEvent::type, IdempotencyEvent::refusal)
				.containsExactly(IdempotencyEvent.Type.REFUSED, Refusal.RECORD_UNREADABLE);
		});
	}

	@Test
	void aTypeThatCannotBeStoredIsNamed() {
		run((template) -> assertThatIllegalArgumentException()
			.isThrownBy(() -> template.execute("op", "k", Object.class, (context) -> "x"))
			.withMessageContainingAll("Operation 'op'", "java.lang.Object"));
	}

	@Test
	void inTwoCallsTheFirstProceedsAndSuccessIsRemembered() {
		run((template) -> {
			proceed(template.before("op", "k", String.class)).succeeded("done");
			assertThat(template.before("op", "k", String.class)).isEqualTo(new Entry.Duplicate<>("done"));
		});
	}

	@Test
	void inTwoCallsAFailureReleasesAtOnce() {
		run((template) -> {
			proceed(template.before("op", "k")).failed();
			Attempt<@Nullable Void> second = proceed(template.before("op", "k"));
			second.succeeded(null);
			assertThat(template.before("op", "k")).isEqualTo(new Entry.Duplicate<>(null));
		});
	}

	@Test
	void betweenTheTwoCallsDuplicatesAreRefused() {
		run((template) -> {
			Attempt<@Nullable Void> attempt = proceed(template.before("op", "k"));
			assertThat(template.before("op", "k")).isEqualTo(new Entry.Refused<>(Refusal.IN_PROGRESS));
			attempt.failed();
		});
	}

	@Test
	void theFirstEndCountsFromAnyThread() {
		run((template) -> {
			Attempt<@Nullable Void> attempt = proceed(template.before("op", "k"));
			Thread other = new Thread(() -> attempt.succeeded(null));
			other.start();
			other.join();
			attempt.failed();
			attempt.close();
			assertThat(template.before("op", "k")).isEqualTo(new Entry.Duplicate<>(null));
		});
	}

	@Test
	void anAttemptClosedWithoutAnEndIsUnknown() {
		this.runner.withPropertyValues("idempotent.defaults.when-unknown=reject").run((context) -> {
			IdempotencyTemplate template = context.getBean(IdempotencyTemplate.class);
			proceed(template.before("op", "k")).close();
			assertThat(template.before("op", "k")).isEqualTo(new Entry.Refused<>(Refusal.OUTCOME_UNKNOWN));
		});
	}

	@Test
	void aRefusedDuplicateIsReportedAsADuplicate() {
		run((template) -> {
			proceed(template.before("reluctant", "k", String.class)).succeeded("done");
			assertThat(template.before("reluctant", "k", String.class)).isEqualTo(new Entry.Duplicate<>(null));
			refuses(Refusal.DUPLICATE, () -> template.execute("reluctant", "k", String.class, (context) -> "again"));
		});
	}

	private Payment pay(IdempotencyTemplate template, String order) {
		return template.execute("pay", order, Payment.class,
				(IdempotencyContext context) -> new Payment(this.runs.incrementAndGet(), BigDecimal.ONE));
	}

	private static <T extends @Nullable Object> Attempt<T> proceed(Entry<T> entry) {
		assertThat(entry).isInstanceOf(Entry.Proceed.class);
		return ((Entry.Proceed<T>) entry).attempt();
	}

	private static void refuses(Refusal reason, ThrowingCallable call) {
		assertThatExceptionOfType(SubmissionRefusedException.class).isThrownBy(call)
			.satisfies((ex) -> assertThat(ex.refusal()).isEqualTo(reason));
	}

	private void run(ThrowingConsumer<IdempotencyTemplate> test) {
		this.runner.run((context) -> test.accept(context.getBean(IdempotencyTemplate.class)));
	}

	record Payment(int number, BigDecimal amount) {
	}

	record Amount(String currency, int cents) {
	}

	record Command(String type, Object payload) {
	}

	record Bill(Amount amount, long number) {
	}

}
