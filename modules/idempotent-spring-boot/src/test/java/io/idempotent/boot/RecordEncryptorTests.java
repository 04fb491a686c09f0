package io.idempotent.boot;

import java.nio.charset.StandardCharsets;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;

import javax.crypto.SecretKey;
import javax.crypto.spec.SecretKeySpec;

import io.idempotent.Idempotent;
import io.idempotent.Refusal;
import io.idempotent.SubmissionRefusedException;
import io.idempotent.support.StartUpException;
import io.idempotent.testing.ObservedDataSource;
import io.idempotent.testing.TestPostgres;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.JdbcTemplateAutoConfiguration;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.boot.transaction.autoconfigure.TransactionAutoConfiguration;
import org.springframework.boot.transaction.autoconfigure.TransactionManagerCustomizationAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.annotation.Order;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.security.crypto.encrypt.AesCbcBytesEncryptor;
import org.springframework.security.crypto.encrypt.AesGcmBytesEncryptor;
import org.springframework.security.crypto.encrypt.BytesEncryptor;
import org.springframework.transaction.annotation.Transactional;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Which bean encrypts the records and receipts of calls, and what its nodes make of them.
 */
@ExtendWith(OutputCaptureExtension.class)
class RecordEncryptorTests {

	private static final ObservedDataSource DATABASE = new ObservedDataSource(
			new DriverManagerDataSource(TestPostgres.newDatabase()));

	private final JdbcTemplate sql = new JdbcTemplate(DATABASE);

	private final ApplicationContextRunner plain = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(AopAutoConfiguration.class, TransactionAutoConfiguration.class,
				TransactionManagerCustomizationAutoConfiguration.class,
				DataSourceTransactionManagerAutoConfiguration.class, JdbcTemplateAutoConfiguration.class,
				GuardAutoConfiguration.class, IdempotencyAutoConfiguration.class,
				IdempotencyCallAutoConfiguration.class, StartUpAutoConfiguration.class))
		.withBean(ObservedDataSource.class, () -> DATABASE)
		.withBean(Payments.class)
		.withPropertyValues("idempotent.store.type=jdbc", "idempotent.initialize-schema=always",
				"idempotent.store.near-cache.enabled=false");

	private final ApplicationContextRunner encrypted = this.plain.withUserConfiguration(First.class);

	private final ApplicationContextRunner guarded = this.encrypted.withPropertyValues("idempotent.guard.enabled=true");

	private final String order = UUID.randomUUID().toString();

	@BeforeEach
	void clear() {
		Payments.runs.set(0);
		this.plain.withPropertyValues("idempotent.guard.enabled=true").run((context) -> {
			this.sql.update("delete from idempotent_record");
			this.sql.update("delete from idempotent_receipt");
		});
	}

	@Test
	void withoutTheBeanARecordIsAsItWas() {
		this.plain.run((context) -> {
			assertThat(pay(context)).isEqualTo("paid " + this.order);
			assertThat(answer("idempotent_record")).isEqualTo("\1\"paid " + this.order + "\"");
		});
	}

	@Test
	void anEncryptorForOtherPurposesIsNotUsed() {
		this.plain.withBean(BytesEncryptor.class, () -> AesCbcBytesEncryptor.withSecretKey(key(3)).build())
			.run((context) -> {
				pay(context);
				assertThat(answer("idempotent_record")).isEqualTo("\1\"paid " + this.order + "\"");
			});
	}

	@Test
	void theEncryptorIsNoCandidateForOtherInjectionPoints() {
		this.encrypted.withBean("own", BytesEncryptor.class, () -> AesCbcBytesEncryptor.withSecretKey(key(3)).build())
			.withUserConfiguration(OwnUse.class)
			.run((context) -> assertThat(context).hasNotFailed());
	}

	@Test
	void anotherNodeReplaysAResultThatIsNotReadable() {
		this.encrypted.run(this::pay);
		assertThat(answer("idempotent_record")).isNotEmpty().doesNotContain("paid", this.order);
		this.encrypted.run((context) -> assertThat(pay(context)).isEqualTo("paid " + this.order));
		assertThat(Payments.runs).hasValue(1);
	}

	@Test
	void theKeysAreRotated() {
		this.encrypted.run(this::pay);
		ApplicationContextRunner rotated = this.plain.withUserConfiguration(First.class, Second.class);
		rotated.run((context) -> {
			assertThat(pay(context)).isEqualTo("paid " + this.order);
			assertThat(context.getBean(Payments.class).pay("later")).isEqualTo("paid later");
		});
		this.plain.withUserConfiguration(Second.class).run((context) -> {
			assertThat(context.getBean(Payments.class).pay("later")).isEqualTo("paid later");
			assertUnavailable(context);
		});
		assertThat(Payments.runs).hasValue(2);
	}

	@Test
	void whatWasStoredWithoutEncryptionIsNotReplayedAndDoesNotRunAgain(CapturedOutput output) {
		this.plain.run(this::pay);
		this.encrypted.run((context) -> {
			assertUnavailable(context);
			assertUnavailable(context);
		});
		assertThat(Payments.runs).hasValue(1);
		assertThat(output.getAll().lines().filter((line) -> line.contains("it is not encrypted"))).singleElement()
			.asString()
			.contains("WARN", "refused as response-unavailable");
	}

	@Test
	void withoutItsBeanAnEncryptedRecordIsNotReplayedAndDoesNotRunAgain(CapturedOutput output) {
		this.encrypted.run(this::pay);
		this.plain.run(this::assertUnavailable);
		assertThat(Payments.runs).hasValue(1);
		assertThat(output).contains("no encryptor decrypts it");
	}

	@Test
	void anAnswerThatWasCopiedToAnotherKeyIsNotReplayed() {
		this.encrypted.run((context) -> {
			context.getBean(Payments.class).pay("gift");
			byte[] gift = this.sql.queryForObject("select answer from idempotent_record", byte[].class);
			pay(context);
			this.sql.update("update idempotent_record set answer = ?", (Object) gift);
			assertThat(context.getBean(Payments.class).pay("gift")).isEqualTo("paid gift");
			assertUnavailable(context);
		});
		assertThat(Payments.runs).hasValue(2);
	}

	@Test
	void aReceiptHasTheResultEncryptedAndAnswersForALostRecord() {
		this.guarded.run((context) -> {
			assertThat(book(context)).isEqualTo("booked " + this.order);
			assertThat(answer("idempotent_receipt")).isNotEmpty().doesNotContain("booked", this.order);
			this.sql.update("delete from idempotent_record");
			assertThat(book(context)).isEqualTo("booked " + this.order);
		});
	}

	@Test
	void aReceiptThatWasCopiedToAnotherKeyIsNoAnswer() {
		this.guarded.run((context) -> {
			context.getBean(Payments.class).book("gift");
			byte[] gift = this.sql.queryForObject("select answer from idempotent_receipt", byte[].class);
			book(context);
			this.sql.update("update idempotent_receipt set answer = ?", (Object) gift);
			this.sql.update("delete from idempotent_record");
			assertRefused(() -> book(context));
		});
	}

	@Test
	void aReceiptThatIsTheOnlyRecordIsWrittenOnce() {
		ApplicationContextRunner receipts = this.guarded.withPropertyValues("idempotent.store.type=receipt");
		receipts.run((context) -> {
			DATABASE.executed().clear();
			book(context);
			assertThat(DATABASE.executed().stream().filter((sql) -> sql.contains("idempotent_"))).satisfiesExactly(
					(sql) -> assertThat(sql).startsWith("select"), (sql) -> assertThat(sql).startsWith("insert"));
			assertThat(pay(context)).isEqualTo("paid " + this.order);
		});
		assertThat(this.sql.queryForList("select answer from idempotent_receipt", byte[].class)).hasSize(2)
			.allSatisfy((answer) -> assertThat(text(answer)).doesNotContain("booked", "paid", this.order));
		receipts.run((context) -> {
			assertThat(book(context)).isEqualTo("booked " + this.order);
			assertThat(pay(context)).isEqualTo("paid " + this.order);
		});
		assertThat(Payments.runs).hasValue(2);
	}

	@Test
	void anEncryptorThatDoesNotAuthenticateDoesNotStart() {
		this.plain.withUserConfiguration(Unauthenticated.class)
			.run((context) -> assertThat(context.getStartupFailure()).rootCause()
				.isInstanceOf(StartUpException.class)
				.hasMessageContainingAll("'cbcEncryptor'", "does not notice that a bit of it was changed",
						"AesGcmBytesEncryptor"));
	}

	@Test
	void theStartSaysWhichBeanEncrypts(CapturedOutput output) {
		this.plain.withUserConfiguration(First.class, Second.class)
			.run((context) -> assertThat(output).contains("is encrypted by 'secondEncryptor'"));
	}

	@Test
	void theNearCacheHasTheResult() {
		this.encrypted.withPropertyValues("idempotent.store.near-cache.enabled=true").run((context) -> {
			pay(context);
			this.sql.update("delete from idempotent_record");
			assertThat(pay(context)).isEqualTo("paid " + this.order);
		});
		assertThat(Payments.runs).hasValue(1);
	}

	private String pay(AssertableApplicationContext context) {
		return context.getBean(Payments.class).pay(this.order);
	}

	private String book(AssertableApplicationContext context) {
		return context.getBean(Payments.class).book(this.order);
	}

	private void assertUnavailable(AssertableApplicationContext context) {
		assertRefused(() -> pay(context));
	}

	private static void assertRefused(Runnable call) {
		assertThatExceptionOfType(SubmissionRefusedException.class).isThrownBy(call::run)
			.satisfies((refused) -> assertThat(refused.refusal()).isEqualTo(Refusal.RESPONSE_UNAVAILABLE));
	}

	private String answer(String table) {
		return text(this.sql.queryForObject("select answer from " + table, byte[].class));
	}

	private static String text(byte[] bytes) {
		return new String(bytes, StandardCharsets.ISO_8859_1);
	}

	static class Payments {

		static final AtomicInteger runs = new AtomicInteger();

		@Idempotent(key = "#order")
		public String pay(String order) {
			runs.incrementAndGet();
			return "paid " + order;
		}

		@Idempotent(key = "#order")
		@Transactional
		public String book(String order) {
			runs.incrementAndGet();
			return "booked " + order;
		}

	}

	/** To derive one from a password takes a second. */
	private static SecretKey key(int number) {
		return new SecretKeySpec(new byte[] { (byte) number, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16 },
				"AES");
	}

	@Configuration(proxyBeanMethods = false)
	static class First {

		@Bean(defaultCandidate = false)
		@Qualifier("idempotent")
		@Order(2)
		BytesEncryptor firstEncryptor() {
			return AesGcmBytesEncryptor.withSecretKey(key(1)).build();
		}

	}

	/** Before the first one. */
	@Configuration(proxyBeanMethods = false)
	static class Second {

		@Bean(defaultCandidate = false)
		@Qualifier("idempotent")
		@Order(1)
		BytesEncryptor secondEncryptor() {
			return AesGcmBytesEncryptor.withSecretKey(key(2)).build();
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Unauthenticated {

		@Bean
		@Qualifier("idempotent")
		BytesEncryptor cbcEncryptor() {
			return AesCbcBytesEncryptor.withSecretKey(key(3)).build();
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class OwnUse {

		OwnUse(BytesEncryptor own) {
		}

	}

}
