package io.idempotent.method;

import java.lang.reflect.Method;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;

import javax.sql.DataSource;

import io.idempotent.IdempotencyContext;
import io.idempotent.IdempotencyEvent;
import io.idempotent.IdempotencyListener;
import io.idempotent.IdempotencyTemplate;
import io.idempotent.Idempotent;
import io.idempotent.Refusal;
import io.idempotent.SubmissionRefusedException;
import io.idempotent.administration.OperationCatalog.SentKey;
import io.idempotent.boot.IdempotencyAutoConfiguration;
import io.idempotent.boot.IdempotencyCallAutoConfiguration;
import io.idempotent.boot.settings.Namespace;
import io.idempotent.store.OperationKey;
import io.idempotent.testing.TestDatabase;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.assertj.core.api.ThrowableAssertAlternative;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.jackson.autoconfigure.JacksonAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.transaction.autoconfigure.TransactionAutoConfiguration;
import org.springframework.context.ApplicationContext;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * A key that a client sends beside the arguments belongs to one caller and one content.
 */
class CallerIdentityTests {

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(AopAutoConfiguration.class, JacksonAutoConfiguration.class,
				TransactionAutoConfiguration.class, DataSourceTransactionManagerAutoConfiguration.class,
				IdempotencyAutoConfiguration.class, IdempotencyCallAutoConfiguration.class))
		.withPropertyValues("idempotent.store.type=local")
		.withBean(DataSource.class, () -> TestDatabase.h2().dataSource())
		.withBean(State.class)
		.withBean(LetterIdentity.class)
		.withBean(Post.class);

	@Test
	void aRepeatGetsTheResult() {
		run((context, post) -> {
			assertThat(post.send(new Letter("ann", "k", Map.of("to", "bob", "at", 1)))).isEqualTo(1);
			assertThat(post.send(new Letter("ann", "k", Map.of("at", 1, "to", "bob")))).isEqualTo(1);
		});
	}

	@Test
	void callersDoNotShareKeys() {
		run((context, post) -> {
			assertThat(post.send(new Letter("ann", "k", "x"))).isEqualTo(1);
			assertThat(post.send(new Letter("bob", "k", "x"))).isEqualTo(2);
			assertThat(post.send(new Letter(null, "k", "x"))).isEqualTo(3);
			assertThat(post.send(new Letter("-", "k", "x"))).isEqualTo(4);
		});
	}

	@Test
	void otherContentIsRefused() {
		run((context, post) -> {
			post.send(new Letter("ann", "k", Map.of()));
			assertThatRefused(Refusal.KEY_REUSED, () -> post.send(new Letter("ann", "k", Map.of("to", "bob"))));
			assertThat(post.send(new Letter("ann", "k", Map.of()))).isEqualTo(1);
		});
	}

	@Test
	void otherContentInTheSameTransactionIsRefused() {
		run((context, post) -> new TransactionTemplate(context.getBean(PlatformTransactionManager.class))
			.executeWithoutResult((status) -> {
				post.send(new Letter("ann", "k", "x"));
				assertThat(post.send(new Letter("ann", "k", "x"))).isEqualTo(1);
				assertThatRefused(Refusal.KEY_REUSED, () -> post.send(new Letter("ann", "k", "y")));
			}));
	}

	@Test
	void aCallWithoutAUsableKeyIsRefusedAndReported() {
		run((context, post) -> {
			assertThatRefused(Refusal.KEY_MISSING, () -> post.send(new Letter("ann", null, "x")))
				.withMessageContaining("Looked for the key on the letter");
			assertThatRefused(Refusal.KEY_MALFORMED, () -> post.send(new Letter("ann", "", "x")));
			assertThat(context.getBean(State.class).refusals).containsExactly(Refusal.KEY_MISSING,
					Refusal.KEY_MALFORMED);
		});
	}

	@Test
	void contentMustBeJson() {
		run((context, post) -> assertThatIllegalArgumentException()
			.isThrownBy(() -> post.send(new Letter("ann", "k", new Object())))
			.withMessageContaining("cannot be written as JSON"));
	}

	@Test
	void operatorsFindTheRecordByKeyAndCaller() {
		run((context, post) -> {
			post.send(new Letter("ann", "k", "x"));
			CallCatalog catalog = new CallCatalog(context.getBean(IdempotentMethods.class), List::of, List::of,
					Namespace.in(context.getEnvironment()));
			SentKey sent = new SentKey("k", "ann", null, null, null, null, null);
			assertThat(catalog.keys("Post.send", sent).orElseThrow()).extracting(OperationKey::encoded)
				.containsExactly(context.getBean(State.class).key);
			assertThat(catalog.operations()).singleElement()
				.satisfies((operation) -> assertThat(operation.key()).isEqualTo("HEADER"));
		});
	}

	private void run(BiConsumer<ApplicationContext, Post> test) {
		this.runner.run((context) -> test.accept(context, context.getBean(Post.class)));
	}

	private static ThrowableAssertAlternative<SubmissionRefusedException> assertThatRefused(Refusal refusal,
			ThrowingCallable call) {
		return assertThatExceptionOfType(SubmissionRefusedException.class).isThrownBy(call)
			.satisfies((ex) -> assertThat(ex.refusal()).isEqualTo(refusal));
	}

	record Letter(@Nullable String caller, @Nullable String key, Object content) {
	}

	static class Post {

		private final State state;

		private final IdempotencyTemplate template;

		Post(State state, IdempotencyTemplate template) {
			this.state = state;
			this.template = template;
		}

		@Idempotent
		int send(Letter letter) {
			this.state.key = this.template.current().map(IdempotencyContext::key).orElse(null);
			return this.state.sent.incrementAndGet();
		}

	}

	static class State implements IdempotencyListener {

		private final AtomicInteger sent = new AtomicInteger();

		private final List<Refusal> refusals = new CopyOnWriteArrayList<>();

		private volatile @Nullable String key;

		@Override
		public void onEvent(IdempotencyEvent event) {
			if (event.refusal() != null) {
				this.refusals.add(event.refusal());
			}
		}

	}

	static class LetterIdentity implements MessageIdentity {

		@Override
		public boolean supports(Method method) {
			return method.getParameterTypes()[0] == Letter.class;
		}

		@Override
		public @Nullable Identity identify(String operation, Method method, @Nullable Object[] arguments) {
			Letter letter = (Letter) arguments[0];
			if (letter == null || letter.key() == null) {
				return null;
			}
			if (letter.key().isEmpty()) {
				throw new SubmissionRefusedException(Refusal.KEY_MALFORMED, operation);
			}
			return new Identity(letter.key(), letter.content(), OperationKey.caller(letter.caller(), null, null));
		}

		@Override
		public boolean isOfCaller() {
			return true;
		}

		@Override
		public String description() {
			return "the key on the letter";
		}

	}

}
