package io.idempotent.steps.internal;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.UUID;

import javax.crypto.spec.SecretKeySpec;

import io.idempotent.Refusal;
import io.idempotent.SubmissionRefusedException;
import io.idempotent.steps.OperationSteps;
import io.idempotent.store.RecordEncryption;
import io.idempotent.testing.TestPostgres;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import org.springframework.security.crypto.encrypt.AesGcmBytesEncryptor;
import org.springframework.security.crypto.encrypt.BytesEncryptor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * What is stored of operations with steps, if the application encrypts it.
 */
@Timeout(60)
class EncryptedStepsTests {

	static final RecordEncryption ENCRYPTION = encryption("a secret key 123");

	private static final StepsDatabase DATABASE = StepsDatabase.postgresql(TestPostgres.newDatabase());

	private final Provider provider = new Provider();

	private final String card = UUID.randomUUID().toString();

	@AutoClose
	private final StepsNode node = new StepsNode(DATABASE.dataSource(), ENCRYPTION);

	@AutoClose
	private final StepsNode other = new StepsNode(DATABASE.dataSource(), ENCRYPTION);

	@AutoClose
	private final StepsNode withoutKey = new StepsNode(DATABASE.dataSource(), encryption("another key 4567"));

	@AutoClose
	private final StepsNode plain = new StepsNode(DATABASE.dataSource());

	/** By a key: to derive one from a password takes a second. */
	private static RecordEncryption encryption(String key) {
		BytesEncryptor encryptor = AesGcmBytesEncryptor
			.withSecretKey(new SecretKeySpec(key.getBytes(StandardCharsets.US_ASCII), "AES"))
			.build();
		return new RecordEncryption(
				List.of(new RecordEncryption.Cipher("test", encryptor::encrypt, encryptor::decrypt)));
	}

	@BeforeEach
	void registerMethods() throws NoSuchMethodException {
		DATABASE.sql().update("delete from idempotent_operation");
		for (StepsNode each : List.of(this.node, this.other, this.withoutKey, this.plain)) {
			each.steps()
				.resumable()
				.add("pay", Payments.class.getDeclaredMethod("pay", String.class), Payments.class,
						() -> new Payments(this, each));
		}
	}

	@Test
	void noResultArgumentOrFailureIsReadable() {
		fail(this.node);
		assertThat(stored()).contains("charge", "book", "java.lang.IllegalStateException").doesNotContain(this.card);
	}

	@Test
	void aRepeatContinuesWithTheResults() {
		fail(this.node);
		assertThat(pay(this.other)).isEqualTo("booked charged " + this.card);
		assertThat(this.provider.calls()).as("a charge and a mail").hasSize(2);
		assertThat(stored()).doesNotContain(this.card);
	}

	@Test
	void anInterruptedOperationIsCalledAgainWithItsArguments() {
		fail(this.node);
		this.other.resumption((event) -> {
		}).sweep();
		assertThat(this.provider.calls()).as("a charge and a mail").hasSize(2);
		assertThat(this.other.steps().administration().find(StepsNode.key(this.card)).orElseThrow().endedAt())
			.isNotNull();
	}

	@Test
	void otherArgumentsAreRefusedAsAnotherContent() {
		fail(this.node);
		assertRefused(Refusal.KEY_REUSED, () -> this.other.run(this.card, "another", this::book));
		assertThat(pay(this.other)).isEqualTo("booked charged " + this.card);
	}

	@Test
	void aResultThatAnOperatorHasConfirmedIsEncryptedAndUsed() {
		assertThatIllegalStateException()
			.isThrownBy(() -> this.node.run(this.card, (steps) -> steps.external("charge", String.class, (sent) -> {
				throw new IllegalStateException("The connection was reset");
			})));
		assertThat(this.node.steps()
			.administration()
			.confirm(StepsNode.key(this.card), "charge", "\"charged " + this.card + "\"", "alice", "I asked the bank"))
			.isTrue();
		assertThat(stored()).doesNotContain(this.card);
		assertThat(pay(this.other)).isEqualTo("booked charged " + this.card);
		assertThat(stored()).doesNotContain(this.card);
		assertThat(this.provider.calls()).as("the mail").hasSize(1);
	}

	@Test
	void aResultThatWasCopiedFromAnotherStepIsNotUsed() {
		fail(this.node);
		DATABASE.sql()
			.update("update idempotent_step set result = (select result from idempotent_step where name = 'charge') "
					+ "where name = 'book'");
		assertRefused(Refusal.RECORD_UNREADABLE, () -> pay(this.other));
		assertThat(this.provider.calls()).as("the charge").hasSize(1);
	}

	@Test
	void whatAnotherKeyHasEncryptedIsNotUsed() {
		fail(this.node);
		assertRefused(Refusal.RECORD_UNREADABLE, () -> pay(this.withoutKey));
		assertRefused(Refusal.RECORD_UNREADABLE, () -> pay(this.plain));
		this.withoutKey.resumption((event) -> {
		}).sweep();
		assertThat(this.provider.calls()).as("the charge").hasSize(1);
	}

	@Test
	void whatWasStoredWithoutEncryptionIsNotUsed() {
		fail(this.plain);
		assertThat(stored()).contains(this.card);
		assertRefused(Refusal.RECORD_UNREADABLE, () -> pay(this.node));
		assertThat(this.provider.calls()).as("the charge").hasSize(1);
	}

	/** After two steps. The operation is due at once. */
	private void fail(StepsNode at) {
		assertThatIllegalStateException().isThrownBy(() -> at.run(this.card, (steps) -> {
			book(steps);
			return steps.external("mail", String.class, (sent) -> {
				throw new IllegalStateException("No mail for " + this.card);
			});
		}));
		DATABASE.sql().update("update idempotent_operation set resume_at = 1");
	}

	private String pay(StepsNode at) {
		return at.run(this.card, (steps) -> {
			String booked = book(steps);
			steps.external("mail", (sent) -> this.provider.call(sent, "mail"));
			return booked;
		});
	}

	private String book(OperationSteps steps) {
		String charge = steps.external("charge", String.class, (sent) -> {
			this.provider.call(sent, "charge");
			return "charged " + this.card;
		});
		return steps.transactional("book", String.class, () -> "booked " + charge);
	}

	private static void assertRefused(Refusal refusal, Runnable call) {
		assertThatExceptionOfType(SubmissionRefusedException.class).isThrownBy(call::run)
			.satisfies((ex) -> assertThat(ex.refusal()).isEqualTo(refusal));
	}

	/** All columns of all rows, byte by byte. */
	private static String stored() {
		StringBuilder all = new StringBuilder();
		for (String table : List.of("idempotent_operation", "idempotent_step", "idempotent_receipt")) {
			DATABASE.sql()
				.queryForList("select * from " + table)
				.forEach((row) -> row.values()
					.forEach((value) -> all.append(
							(value instanceof byte[] bytes) ? new String(bytes, StandardCharsets.ISO_8859_1) : value)));
		}
		return all.toString();
	}

	record Payments(EncryptedStepsTests test, StepsNode node) {

		String pay(String card) {
			return this.test.pay(this.node);
		}

	}

}
