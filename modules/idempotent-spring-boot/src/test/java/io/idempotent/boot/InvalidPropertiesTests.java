package io.idempotent.boot;

import java.util.List;
import java.util.Map;

import io.idempotent.boot.internal.properties.TokenProperties;
import io.idempotent.boot.settings.InvalidConfigurationException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A property that cannot work stops the application, and what is printed names it, its
 * value, the reason and the way out.
 */
@Tag("slow")
@ExtendWith(OutputCaptureExtension.class)
class InvalidPropertiesTests {

	@ParameterizedTest
	@CsvSource(delimiter = '|',
			textBlock = """
					idempotent.defaults.lease                | 0s       | 0s     | ends before it can be renewed | Give at least 100ms
					idempotent.defaults.lease                | 5        | 5ms| ends before it can be renewed | Give at least 100ms, or rather seconds: 30s
					idempotent.defaults.lease                | 99ms     | 99ms| ends before it can be renewed | Give at least 100ms, or rather seconds: 30s
					idempotent.defaults.retention            | -1h      | -1h    | must be positive         | 24h
					idempotent.defaults.wait-timeout         | 0s       | 0s     | must be positive         | such as 30s
					idempotent.defaults.source               | default  | default| itself needs a value     | token, header, content
					idempotent.defaults.when-completed       | default  | default| itself needs a value     | replay, reject, burn
					idempotent.defaults.when-in-progress     | default  | default| itself needs a value     | reject, wait
					idempotent.defaults.when-unknown         | default  | default| itself needs a value     | rerun, reject, ask
					idempotent.defaults.when-failed          | default  | default| itself needs a value     | release, unknown
					idempotent.defaults.when-store-fails     | default  | default| itself needs a value     | reject, proceed
					idempotent.wait.max-waiters              | -1       | -1     | must not be negative     | Give 0
					idempotent.store.redis.timeout           | 0s       | 0s     | must be positive         | such as 30s
					idempotent.store.local.max-records       | 0        | 0      | at least 1               | number of operations
					idempotent.web.max-request-body          | -1B      | -1B    | between 0 and 2GB        | such as 256KB
					idempotent.web.max-response-body         | 4GB      | 4294967296B | between 0 and 2GB        | such as 256KB
					idempotent.web.key-header                | My Key   | My Key | cannot be the name of an HTTP header| Use letters
					idempotent.token.header                  | Tökén    | Tökén  | cannot be the name of an HTTP header| Use letters
					idempotent.token.path                    | token    | token  | each after a slash       | token.enabled=false
					idempotent.token.path                    | /**      | /**    | each after a slash       | token.enabled=false
					idempotent.token.path                    | /{x}     | /{x}   | each after a slash       | token.enabled=false
					idempotent.token.path                    | //host/t | //host/t| each after a slash      | token.enabled=false
					idempotent.token.header                  | idempotency-key | idempotency-key | is the same header | Choose different names
					idempotent.token.time-to-live            | 0s       | 0s     | must be positive         | such as 30s
					idempotent.defaults.replay-errors        | 200      | 200    | not the status of an error | 409, 4xx or 5xx
					idempotent.store.jdbc.table              | my-table | my-table| cannot be the name of a table | letters, digits and underscores
					idempotent.lock.jdbc.table               | a;b      | a;b    | cannot be the name of a table | letters, digits and underscores
					idempotent.lock.jdbc.transaction-table   | a b      | a b    | cannot be the name of a table | letters, digits and underscores
					idempotent.lock.namespace                | my shop  | my shop| no white space           | such as my-shop
					idempotent.lock.namespace                | my:shop  | my:shop| no colon                 | such as my-shop
					idempotent.lock.namespace                | {shop}   | {shop} | no brace                 | such as my-shop
					idempotent.web.replay-headers            | Set-Cookie | Set-Cookie | never replayed     | Remove it from the list
					idempotent.web.replay-headers            | My Header  | My Header  | cannot be the name of an HTTP header| Use letters
					""")
	void invalidValuesOfAGroupAreRefused(String property, String value, String shown, String reason, String action,
			CapturedOutput output) {
		Throwable failure = StartUp.failure(StartUp.Application.class, property + "=" + value);
		assertThat(failure).hasRootCauseInstanceOf(InvalidConfigurationException.class);
		assertThat(output).contains("APPLICATION FAILED TO START")
			.contains(property + " is '" + shown + "'")
			.contains(reason)
			.contains(action)
			.contains("\"" + property + "\" from property source \"commandLineArgs\"");
	}

	@ParameterizedTest
	@CsvSource({ "idempotent.guard.receipt.table, my-receipts", "idempotent.guard.fence-table, 1st" })
	void aTableOfTheGuardNeedsAName(String property, String name, CapturedOutput output) {
		StartUp.failure(StartUp.Application.class, "idempotent.guard.enabled=true",
				"spring.datasource.url=jdbc:h2:mem:tables", property + "=" + name);
		assertThat(output).contains("APPLICATION FAILED TO START")
			.contains(property + " is '" + name + "', but it cannot be the name of a table")
			.contains("Use letters, digits and underscores")
			.contains("\"" + property + "\" from property source \"commandLineArgs\"");
	}

	@ParameterizedTest
	@ValueSource(strings = { "idempotent.defaults.lease", "idempotent.defaults.source", "idempotent.wait.max-waiters",
			"idempotent.operations[Orders.create].lease", "idempotent.lock.locks.nightly.fair" })
	void anInvalidValueIsRefused(String property, CapturedOutput output) {
		StartUp.failure(StartUp.Application.class, property + "=soon");
		assertThat(output).contains("APPLICATION FAILED TO START")
			.containsIgnoringCase("Property: " + property)
			.contains("Value: \"soon\"")
			.contains("from property source \"commandLineArgs\"");
	}

	@Test
	void aSecretThatNobodySignsWithIsRefused(CapturedOutput output) {
		StartUp.failure(StartUp.Application.class, "idempotent.token.signing.keys.k1=0123456789abcdef0123456789abcdef");
		assertThat(output).contains("APPLICATION FAILED TO START")
			.contains("idempotent.token.signing.keys is '[k1]', but none of the keys signs")
			.contains("Set idempotent.token.signing.active-key to one of them");
	}

	@Test
	void signingNeedsTheActiveKey(CapturedOutput output) {
		StartUp.failure(StartUp.Application.class, "idempotent.token.signing.active-key=new",
				"idempotent.token.signing.keys.old=0123456789abcdef0123456789abcdef");
		assertThat(output).contains("APPLICATION FAILED TO START")
			.contains("idempotent.token.signing.active-key is 'new', but there is no secret "
					+ "idempotent.token.signing.keys.new (set by \"idempotent.token.signing.active-key\"")
			.contains("openssl rand -base64 32, or name one of the keys [old]");
	}

	@Test
	void aShortSigningSecretIsRefusedButNotLogged(CapturedOutput output) {
		StartUp.failure(StartUp.Application.class, "idempotent.token.signing.active-key=k1",
				"idempotent.token.signing.keys.k1=my-secret");
		assertThat(output).contains("APPLICATION FAILED TO START")
			.contains("idempotent.token.signing.keys.k1 is '(not shown)', but the secret has 9 bytes")
			.contains("(set by \"idempotent.token.signing.keys.k1\" from property source")
			.contains("at least 32")
			.doesNotContain("my-secret");
	}

	@Test
	void theIdOfASigningKeyMustFitIntoATokenAndBeFound(CapturedOutput output) {
		StartUp.failure(StartUp.Application.class, "idempotent.token.signing.active-key=K1",
				"idempotent.token.signing.keys.K1=short");
		assertThat(output).contains("idempotent.token.signing.keys.K1 is '(not shown)', but the secret has 5 bytes")
			.contains("(set by \"idempotent.token.signing.keys.K1\" from property source");
	}

	@Test
	void secretsAreNotLogged() {
		assertThat(new TokenProperties.Signing("k1", Map.of("k1", "my-secret".repeat(4))))
			.hasToString("Signing[activeKey=k1, keys=[k1]]");
	}

	@ParameterizedTest
	@ValueSource(strings = { "{idem}:", "my shop:", "" })
	void aPrefixThatIsInvalidInAKeyIsRefused(String prefix, CapturedOutput output) {
		StartUp.failure(StartUp.Application.class, "idempotent.store.type=redis",
				"idempotent.store.redis.key-prefix=" + prefix);
		assertThat(output).contains("APPLICATION FAILED TO START")
			.contains("idempotent.store.redis.key-prefix is '" + prefix + "', but no key can begin like that")
			.contains("use one such as 'idem:'");
	}

	@Test
	void aMissingStoreIsReported(CapturedOutput output) {
		StartUp.failure(StartUp.Application.class, "idempotent.store.type=redis",
				"spring.autoconfigure.exclude=" + DataRedisAutoConfiguration.class.getName());
		assertThat(output).contains("APPLICATION FAILED TO START")
			.contains("The redis store was chosen")
			.contains("there is no RedisConnectionFactory bean")
			.contains("spring.data.redis.host")
			.contains("idempotent.store.type=local");
	}

	@ParameterizedTest
	@ValueSource(strings = { "idempotent.enabled", "idempotent.guard.enabled", "idempotent.guard.receipt.enabled",
			"idempotent.lock.enabled", "idempotent.lock.rollback-on-loss", "idempotent.store.near-cache.enabled",
			"idempotent.token.enabled" })
	void aSwitchThatIsNeitherTrueNorFalseStopsTheApplication(String property, CapturedOutput output) {
		for (String value : List.of("maybe", "yes", "")) {
			Throwable failure = StartUp.failure(StartUp.Application.class, property + "=" + value);
			assertThat(failure).isInstanceOf(InvalidConfigurationException.class);
			assertThat(output).contains("APPLICATION FAILED TO START")
				.contains(property + " is '" + value + "', but it is neither true nor false")
				.contains("Write " + property + "=true or " + property + "=false")
				.contains("\"" + property + "\" from property source \"commandLineArgs\"");
		}
	}

	@Test
	void aSwitchIsCheckedInEveryForm(CapturedOutput output) {
		StartUp.failure(StartUp.Application.class, "idempotent.ENABLED=maybe");
		assertThat(output).contains("idempotent.enabled is 'maybe', but it is neither true nor false");
	}

	@ParameterizedTest
	@ValueSource(strings = { "false", "FALSE" })
	void aDisabledLibraryIsLoggedOnce(String value, CapturedOutput output) {
		StartUp.run(List.of(), "idempotent.enabled=" + value).close();
		assertThat(
				output.getAll().lines().filter((line) -> line.contains("WARN") && line.contains("idempotent.enabled")))
			.singleElement()
			.asString()
			.contains("@ApiIdempotent", "@Idempotent", "@DistributedLocked", "without their locks", "fence");
	}

	@ParameterizedTest
	@ValueSource(strings = { "true", "TRUE" })
	void anEnabledLibraryIsNotLogged(String value, CapturedOutput output) {
		StartUp.run(List.of(), "idempotent.enabled=" + value, "idempotent.lock.engines=local").close();
		assertThat(output).doesNotContain("is off");
	}

}
