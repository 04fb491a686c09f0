package io.idempotent.boot;

import java.util.Map;

import io.idempotent.webmvc.OutcomeClassifier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A property that cannot work stops the application, and what is printed names it, its
 * value, the reason and the way out.
 */
@ExtendWith(OutputCaptureExtension.class)
class InvalidPropertiesTests {

	@ParameterizedTest
	@CsvSource(delimiter = '|',
			textBlock = """
					idempotent.defaults.lease                | 0s       | PT0S   | must be positive         | such as 30s
					idempotent.defaults.lease                | 5        | PT0.005S| ends before it can be renewed | Give at least 100ms, or rather seconds: 30s
					idempotent.defaults.lease                | 99ms     | PT0.099S| ends before it can be renewed | Give at least 100ms, or rather seconds: 30s
					idempotent.defaults.retention            | -1h      | PT-1H  | must be positive         | 24h
					idempotent.defaults.wait-timeout         | 0s       | PT0S   | must be positive         | such as 30s
					idempotent.defaults.retention            | 10s      | PT10S  | shorter than             | or the lease shorter
					idempotent.defaults.source               | default  | default| stands for this very     | token, header, content
					idempotent.defaults.when-completed       | default  | default| stands for this very     | replay, reject, burn
					idempotent.defaults.when-in-progress     | default  | default| stands for this very     | reject, wait
					idempotent.defaults.when-unknown         | default  | default| stands for this very     | rerun, reject, ask
					idempotent.defaults.when-failed          | default  | default| stands for this very     | release, unknown
					idempotent.defaults.when-store-fails     | default  | default| stands for this very     | reject, proceed
					idempotent.wait.max-waiters              | -1       | -1     | must not be negative     | Give 0
					idempotent.store.claim-retry.max-retries | 0        | 0      | reads back               | at least 1
					idempotent.store.claim-retry.delay       | -1s      | PT-1S  | must not be negative     | or 0
					idempotent.store.claim-retry.timeout     | 0s       | PT0S   | less than a millisecond  | such as 2s
					idempotent.store.redis.timeout           | 0s       | PT0S   | must be positive         | such as 30s
					idempotent.store.local.max-records       | 0        | 0      | at least 1               | number of operations
					idempotent.store.near-cache.max-size     | -1B      | -1B    | must be positive         | near-cache.enabled=false
					idempotent.store.near-cache.max-age      | -1s      | PT-1S  | must be positive         | near-cache.enabled=false
					idempotent.web.max-request-body          | -1B      | -1B    | between 0 and 2GB        | such as 256KB
					idempotent.web.max-request-tokens        | 0        | 0      | at least 1               | such as 200000
					idempotent.web.problem-base              | /problems| /problems| beginning of an absolute URI | urn:idempotent:problem:
					idempotent.web.problem-base              | http://a/>b| http://a/>b| beginning of an absolute URI | urn:idempotent:problem:
					idempotent.web.max-response-body         | 4GB      | 4294967296B | between 0 and 2GB        | such as 256KB
					idempotent.web.key-header                | My Key   | My Key | no name of an HTTP header| Use letters
					idempotent.web.replayed-header           | Re:plied | Re:plied| no name of an HTTP header| Use letters
					idempotent.token.header                  | Tökén    | Tökén  | no name of an HTTP header| Use letters
					idempotent.token.path                    | token    | token  | begin with a slash       | token.enabled=false
					idempotent.token.time-to-live            | 0s       | PT0S   | must be positive         | such as 30s
					idempotent.token.mode                    | signed   | signed | no key to sign with      | active-key name one of
					""")
	void aGroupRefusesWhatCannotWork(String property, String value, String shown, String reason, String action,
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
	@ValueSource(strings = { "idempotent.defaults.lease", "idempotent.defaults.when-completed",
			"idempotent.store.near-cache.max-size", "idempotent.wait.max-waiters", "idempotent.store.type" })
	void aValueThatIsNoneIsRefused(String property, CapturedOutput output) {
		StartUp.failure(StartUp.Application.class, property + "=soon");
		assertThat(output).contains("APPLICATION FAILED TO START")
			.containsIgnoringCase("Property: " + property)
			.contains("Value: \"soon\"")
			.contains("from property source \"commandLineArgs\"");
	}

	@Test
	void aHeaderThatIsNeverReplayedIsRefused(CapturedOutput output) {
		StartUp.failure(StartUp.Application.class, "idempotent.web.replay-headers=Location,Set-Cookie");
		assertThat(output).contains("APPLICATION FAILED TO START")
			.contains("'Set-Cookie' belongs to one connection or one caller")
			.contains("remove it from idempotent.web.replay-headers");
	}

	@Test
	void aReplayedHeaderNeedsAName(CapturedOutput output) {
		StartUp.failure(StartUp.Application.class, "idempotent.web.replay-headers=Location,My Header");
		assertThat(output).contains("APPLICATION FAILED TO START")
			.contains("idempotent.web.replay-headers is 'My Header', but it is no name of an HTTP header");
	}

	@Test
	void signingNeedsTheActiveKey(CapturedOutput output) {
		StartUp.failure(StartUp.Application.class, "idempotent.token.mode=signed",
				"idempotent.token.signing.active-key=new",
				"idempotent.token.signing.keys.old=0123456789abcdef0123456789abcdef");
		assertThat(output).contains("APPLICATION FAILED TO START")
			.contains("key 'new' that idempotent.token.signing.active-key names")
			.contains("define idempotent.token.signing.keys.new");
	}

	@Test
	void signingNeedsALongSecretWhichIsNotTold(CapturedOutput output) {
		StartUp.failure(StartUp.Application.class, "idempotent.token.mode=signed",
				"idempotent.token.signing.active-key=k1", "idempotent.token.signing.keys.k1=my-secret");
		assertThat(output).contains("APPLICATION FAILED TO START")
			.contains("The secret of signing key 'k1' has 9 bytes")
			.contains("at least 32")
			.doesNotContain("my-secret");
	}

	@Test
	void secretsAreNotTold() {
		assertThat(new IdempotentProperties.Signing("k1", Map.of("k1", "my-secret")))
			.hasToString("Signing[activeKey=k1, keys=[k1]]");
	}

	@ParameterizedTest
	@ValueSource(strings = { "{idem}:", "my shop:", "" })
	void aPrefixThatNoKeyCanHaveIsRefused(String prefix, CapturedOutput output) {
		StartUp.failure(StartUp.Application.class, "idempotent.store.type=redis",
				"idempotent.store.redis.key-prefix=" + prefix);
		assertThat(output).contains("APPLICATION FAILED TO START")
			.contains("idempotent.store.redis.key-prefix is '" + prefix + "', but no key can begin like that")
			.contains("'idem:' is one that does");
	}

	@Test
	void aStoreThatIsMissingIsTold(CapturedOutput output) {
		StartUp.failure(StartUp.Application.class, "idempotent.store.type=redis",
				"spring.autoconfigure.exclude=" + DataRedisAutoConfiguration.class.getName());
		assertThat(output).contains("APPLICATION FAILED TO START")
			.contains("The redis store was chosen")
			.contains("there is no RedisConnectionFactory bean")
			.contains("spring.data.redis.host")
			.contains("idempotent.store.type=local");
	}

	@Test
	void twoBeansWhereOneIsNeededAreTold(CapturedOutput output) {
		StartUp.failure(TwoClassifiers.class);
		assertThat(output).contains("APPLICATION FAILED TO START")
			.contains("required a single bean, but 2 were found")
			.contains("one:")
			.contains("other:")
			.contains("@Primary");
	}

	@Configuration(proxyBeanMethods = false)
	static class TwoClassifiers {

		@Bean
		OutcomeClassifier one() {
			return (operation, answer) -> null;
		}

		@Bean
		OutcomeClassifier other() {
			return (operation, answer) -> null;
		}

	}

}
