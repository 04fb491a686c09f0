package io.idempotent.boot.lock;

import java.nio.file.Path;

import javax.net.ssl.SSLException;

import io.idempotent.boot.StartUp;
import io.idempotent.embedded.EmbeddedRedis;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.redisson.api.RedissonClient;
import org.redisson.client.RedisException;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.ssl.SslAutoConfiguration;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Against a server that asks its clients for a certificate too.
 */
@Tag("slow")
class RedissonClientTlsTests {

	@TempDir
	static Path directory;

	private static RedissonTlsFiles files;

	private static EmbeddedRedis redis;

	private static int port;

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(SslAutoConfiguration.class, DataRedisAutoConfiguration.class,
				RedissonClientAutoConfiguration.class))
		.withBean(RedissonConfigCustomizer.class, () -> (config) -> config.useSingleServer().setRetryAttempts(0))
		.withPropertyValues("spring.data.redis.host=127.0.0.1", "spring.data.redis.port=" + port,
				"spring.data.redis.ssl.enabled=true");

	@BeforeAll
	static void start() throws Exception {
		files = RedissonTlsFiles.create(directory);
		port = StartUp.freePort();
		redis = EmbeddedRedis.start("--tls-port", String.valueOf(port), "--tls-cert-file",
				files.certificate().toString(), "--tls-key-file", files.key().toString(), "--tls-ca-cert-file",
				files.certificate().toString());
	}

	@AfterAll
	static void stop() {
		redis.close();
	}

	@Test
	void theBundleIsUsedForMutualTls() {
		this.runner.withPropertyValues(store("truststore"))
			.withPropertyValues(store("keystore"))
			.run((context) -> assertThat(lock(context.getBean(RedissonClient.class))).isTrue());
	}

	@Test
	void aServerThatTheBundleDoesNotTrustIsRefused() {
		this.runner.run((context) -> assertThatExceptionOfType(RedisException.class)
			.isThrownBy(() -> lock(context.getBean(RedissonClient.class)))
			.havingCause()
			.withStackTraceContaining(SSLException.class.getPackageName()));
	}

	@Test
	void aServerWithAnotherNameIsRefused() {
		this.runner.withPropertyValues(store("truststore"))
			.withPropertyValues(store("keystore"))
			.withPropertyValues("spring.data.redis.host=localhost")
			.run((context) -> assertThatExceptionOfType(RedisException.class)
				.isThrownBy(() -> lock(context.getBean(RedissonClient.class)))
				.havingRootCause()
				.withMessageContaining("matching localhost found"));
	}

	private static String[] store(String kind) {
		String prefix = "spring.ssl.bundle.jks.redis." + kind;
		return new String[] { "spring.data.redis.ssl.bundle=redis", prefix + ".location=" + files.keyStore().toUri(),
				prefix + ".password=" + RedissonTlsFiles.PASSWORD, prefix + ".type=PKCS12" };
	}

	private static boolean lock(RedissonClient client) {
		return client.getLock("lock").tryLock();
	}

}
