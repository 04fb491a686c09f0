package io.idempotent.boot.lock;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.Base64;

import javax.net.ssl.SSLException;

import io.idempotent.embedded.EmbeddedRedis;
import io.idempotent.embedded.Ports;
import io.idempotent.testing.JavaProcess;
import io.lettuce.core.SslVerifyMode;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.redisson.api.RLock;
import org.redisson.api.RedissonClient;
import org.redisson.client.RedisException;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.ssl.SslAutoConfiguration;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.data.redis.autoconfigure.LettuceClientConfigurationBuilderCustomizer;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Against a server that asks its clients for a certificate too.
 */
@Tag("slow")
class RedissonClientTlsTests {

	private static final String PASSWORD = "changeit";

	@TempDir
	static Path directory;

	private static EmbeddedRedis redis;

	private static int port;

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(SslAutoConfiguration.class, DataRedisAutoConfiguration.class,
				RedissonClientAutoConfiguration.class))
		.withBean(RedissonConfigCustomizer.class, () -> (config) -> config.useSingleServer().setRetryAttempts(0))
		.withPropertyValues("spring.data.redis.host=127.0.0.1", "spring.data.redis.port=" + port,
				"spring.data.redis.ssl.enabled=true");

	/** The key store for Java, and PEM files for the server. */
	@BeforeAll
	static void start() throws Exception {
		generate(keyStore());
		KeyStore content = KeyStore.getInstance(keyStore().toFile(), PASSWORD.toCharArray());
		String certificate = writePem("CERTIFICATE", content.getCertificate("redis").getEncoded());
		String key = writePem("PRIVATE KEY", content.getKey("redis", PASSWORD.toCharArray()).getEncoded());
		port = Ports.findFree();
		redis = EmbeddedRedis.start("--tls-port", String.valueOf(port), "--tls-cert-file", certificate,
				"--tls-key-file", key, "--tls-ca-cert-file", certificate);
	}

	private static Path keyStore() {
		return directory.resolve("redis.p12");
	}

	/** Generates a key with a certificate that it has signed itself. */
	private static void generate(Path keyStore) {
		String keytool = Path.of(System.getProperty("java.home"), "bin", "keytool").toString();
		try (JavaProcess process = JavaProcess
			.start(new ProcessBuilder(keytool, "-genkeypair", "-alias", "redis", "-keyalg", "EC", "-groupname",
					"secp256r1", "-dname", "CN=redis", "-ext", "san=ip:127.0.0.1", "-storetype", "PKCS12", "-storepass",
					PASSWORD, "-keystore", keyStore.toString())
				.redirectErrorStream(true))) {
			process.finish();
		}
	}

	private static String writePem(String type, byte[] content) throws IOException {
		String base64 = Base64.getMimeEncoder(64, new byte[] { '\n' }).encodeToString(content);
		return Files
			.writeString(directory.resolve(type),
					"-----BEGIN " + type + "-----\n" + base64 + "\n-----END " + type + "-----\n")
			.toString();
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

	@Test
	void whoeverDisablesTheVerificationOfNamesDoesSoForLocksToo() {
		verifying(SslVerifyMode.CA).withPropertyValues(store("truststore"))
			.withPropertyValues("spring.data.redis.host=localhost")
			.run((context) -> assertThat(lock(context.getBean(RedissonClient.class))).isTrue());
	}

	@Test
	void whoeverDisablesTheVerificationDoesSoForLocksToo() {
		verifying(SslVerifyMode.NONE)
			.run((context) -> assertThat(lock(context.getBean(RedissonClient.class))).isTrue());
	}

	private ApplicationContextRunner verifying(SslVerifyMode mode) {
		return this.runner.withPropertyValues(store("keystore"))
			.withBean(LettuceClientConfigurationBuilderCustomizer.class,
					() -> (client) -> client.useSsl().verifyPeer(mode));
	}

	private static String[] store(String kind) {
		String prefix = "spring.ssl.bundle.jks.redis." + kind;
		return new String[] { "spring.data.redis.ssl.bundle=redis", prefix + ".location=" + keyStore().toUri(),
				prefix + ".password=" + PASSWORD, prefix + ".type=PKCS12" };
	}

	private static boolean lock(RedissonClient client) {
		RLock lock = client.getLock("lock");
		boolean locked = lock.tryLock();
		lock.forceUnlock();
		return locked;
	}

}
