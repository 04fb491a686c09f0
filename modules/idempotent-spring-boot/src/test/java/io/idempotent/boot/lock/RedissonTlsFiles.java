package io.idempotent.boot.lock;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Base64;

/**
 * A fresh key with a certificate that it signed itself for {@code 127.0.0.1}: as a key
 * store for Java, and as PEM files for a server.
 */
record RedissonTlsFiles(Path keyStore, Path certificate, Path key) {

	static final String PASSWORD = "changeit";

	static RedissonTlsFiles create(Path directory) throws IOException, GeneralSecurityException, InterruptedException {
		Path keyStore = directory.resolve("redis.p12");
		generate(keyStore);
		KeyStore content = KeyStore.getInstance(keyStore.toFile(), PASSWORD.toCharArray());
		Path certificate = writePem(directory.resolve("redis.crt"), "CERTIFICATE",
				content.getCertificate("redis").getEncoded());
		Path key = writePem(directory.resolve("redis.key"), "PRIVATE KEY",
				content.getKey("redis", PASSWORD.toCharArray()).getEncoded());
		return new RedissonTlsFiles(keyStore, certificate, key);
	}

	private static void generate(Path keyStore) throws IOException, InterruptedException {
		String keytool = Path.of(System.getProperty("java.home"), "bin", "keytool").toString();
		Process process = new ProcessBuilder(keytool, "-genkeypair", "-alias", "redis", "-keyalg", "EC", "-groupname",
				"secp256r1", "-dname", "CN=redis", "-ext", "san=ip:127.0.0.1", "-storetype", "PKCS12", "-storepass",
				PASSWORD, "-keystore", keyStore.toString())
			.redirectErrorStream(true)
			.start();
		try (InputStream output = process.getInputStream()) {
			String said = new String(output.readAllBytes(), StandardCharsets.UTF_8);
			if (process.waitFor() != 0) {
				throw new IllegalStateException("keytool said: " + said);
			}
		}
	}

	private static Path writePem(Path file, String type, byte[] content) throws IOException {
		String base64 = Base64.getMimeEncoder(64, new byte[] { '\n' }).encodeToString(content);
		return Files.writeString(file, "-----BEGIN " + type + "-----\n" + base64 + "\n-----END " + type + "-----\n");
	}

}
