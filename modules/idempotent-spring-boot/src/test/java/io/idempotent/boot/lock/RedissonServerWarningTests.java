package io.idempotent.boot.lock;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.idempotent.embedded.EmbeddedRedis;
import io.idempotent.lock.DistributedLock;
import io.idempotent.lock.DistributedLocks;
import io.idempotent.lock.LockUnavailableException;
import io.idempotent.testing.RedisTalk;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

@ExtendWith(OutputCaptureExtension.class)
@Tag("slow")
class RedissonServerWarningTests {

	private static final String WARNING = "does not have LINDEX, which the lock engine 'redisson' needs";

	private static final Pattern QUESTIONS = Pattern.compile("cmdstat_command\\|info:calls=(\\d+)");

	private final ApplicationContextRunner runner = new ApplicationContextRunner().withConfiguration(AutoConfigurations
		.of(DataRedisAutoConfiguration.class, RedissonClientAutoConfiguration.class, LockAutoConfiguration.class));

	@Test
	void aMissingCommandIsLoggedOnceAfterTheFirstLock(CapturedOutput output) {
		try (EmbeddedRedis redis = EmbeddedRedis.start("--rename-command", "LINDEX", "")) {
			this.runner.withPropertyValues("spring.data.redis.port=" + redis.port()).run((context) -> {
				assertThat(questions(redis)).isZero();
				DistributedLock lock = context.getBean(DistributedLocks.class).get("stock");
				for (int i = 0; i < 3; i++) {
					lock.lock();
					lock.unlock();
				}
				await().untilAsserted(() -> assertThat(output).containsOnlyOnce(WARNING));
				assertThat(questions(redis)).isOne();
			});
		}
	}

	@Test
	void aMissingCommandIsLoggedEvenIfNoLockCanBeTaken(CapturedOutput output) {
		try (EmbeddedRedis redis = EmbeddedRedis.start("--rename-command", "HLEN", "")) {
			int port = redis.port();
			redis.stop();
			this.runner
				.withPropertyValues("spring.data.redis.port=" + port, "spring.data.redis.timeout=200ms",
						"spring.data.redis.connect-timeout=200ms")
				.run((context) -> {
					DistributedLock lock = context.getBean(DistributedLocks.class).get("stock");
					assertThatExceptionOfType(LockUnavailableException.class).isThrownBy(lock::tryLock);
					redis.restart();
					await().untilAsserted(() -> {
						assertThatExceptionOfType(LockUnavailableException.class).isThrownBy(lock::tryLock);
						assertThat(output).containsOnlyOnce("does not have HLEN, which the lock engine 'redisson'");
					});
				});
		}
	}

	/** How often the server was asked for its commands. */
	private static int questions(EmbeddedRedis redis) {
		Matcher calls = QUESTIONS.matcher(RedisTalk.ask(redis, "INFO commandstats"));
		return calls.find() ? Integer.parseInt(calls.group(1)) : 0;
	}

}
