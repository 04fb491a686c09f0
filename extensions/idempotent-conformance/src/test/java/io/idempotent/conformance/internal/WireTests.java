package io.idempotent.conformance.internal;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;

import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

/**
 * The client of the kit reads what servers write.
 */
class WireTests {

	private static final char[] PASSWORD = "changeit".toCharArray();

	private final Wire wire = new Wire(Duration.ofSeconds(5));

	@ParameterizedTest
	@CsvSource(delimiter = '|',
			value = { "HTTP/1.1 200 OK~Content-Length: 2~~hi | 200 | hi",
					"HTTP/1.1 201~content-length: 2~~hi and more | 201 | hi",
					"HTTP/1.1 200 OK~Transfer-Encoding: chunked~~2;x=1~hi~3~ yo~0~~ | 200 | hi yo",
					"HTTP/1.0 500 Oops~X: 1~~until the end | 500 | until the end",
					"HTTP/1.1 100 Continue~~HTTP/1.1 204 No Content~~ | 204 | ''" })
	void aResponseIsRead(String written, int status, String body) throws IOException {
		Response response = exchange(written.replace("~", "\r\n"));
		assertThat(response.status()).isEqualTo(status);
		assertThat(response.text()).isEqualTo(body);
	}

	@ParameterizedTest
	@CsvSource({ "HTTP/1.1 200 OK~Content-Length: 9~~hi", "HTTP/1.1 200 OK~", "nonsense~", "HTTP/1.1 two~~",
			"HTTP/1.1 200 OK~Transfer-Encoding: chunked~~x~", "''" })
	void aResponseThatIsCutOffIsRefused(String written) {
		assertThatIOException().isThrownBy(() -> exchange(written.replace("~", "\r\n")));
	}

	@Test
	void aCertificateMustBeForTheHost(@TempDir Path directory) throws Exception {
		SSLContext before = SSLContext.getDefault();
		SSLContext context = context(directory.resolve("keys.p12"));
		HttpsServer server = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
		server.setHttpsConfigurator(new HttpsConfigurator(context));
		server.createContext("/", (exchange) -> {
			exchange.sendResponseHeaders(200, 2);
			exchange.getResponseBody().write("hi".getBytes(StandardCharsets.US_ASCII));
			exchange.close();
		});
		server.start();
		try {
			SSLContext.setDefault(context);
			int port = server.getAddress().getPort();
			assertThat(get("https://localhost:" + port).text()).isEqualTo("hi");
			assertThatIOException().isThrownBy(() -> get("https://127.0.0.1:" + port))
				.withMessageContaining("No subject alternative names matching IP address");
		}
		finally {
			SSLContext.setDefault(before);
			server.stop(0);
		}
	}

	private Response get(String url) throws IOException {
		return this.wire.send(Request.of("GET", URI.create(url)));
	}

	private Response exchange(String written) throws IOException {
		try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
			CompletableFuture<Void> serving = CompletableFuture.runAsync(() -> serve(server, written));
			try {
				return get("http://127.0.0.1:" + server.getLocalPort());
			}
			finally {
				serving.join();
			}
		}
	}

	private static void serve(ServerSocket server, String written) {
		try (Socket socket = server.accept(); InputStream in = socket.getInputStream()) {
			StringBuilder head = new StringBuilder();
			while (head.indexOf("\r\n\r\n") < 0) {
				head.append((char) in.read());
			}
			socket.getOutputStream().write(written.getBytes(StandardCharsets.US_ASCII));
		}
		catch (IOException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private static SSLContext context(Path file) throws GeneralSecurityException, IOException, InterruptedException {
		Process keytool = new ProcessBuilder(
				List.of(Path.of(System.getProperty("java.home"), "bin", "keytool").toString(), "-genkeypair", "-alias",
						"server", "-keyalg", "EC", "-dname", "CN=localhost", "-ext", "san=dns:localhost", "-storetype",
						"PKCS12", "-keystore", file.toString(), "-storepass", new String(PASSWORD)))
			.inheritIO()
			.start();
		assertThat(keytool.waitFor()).isZero();
		KeyStore keys = KeyStore.getInstance("PKCS12");
		try (InputStream in = Files.newInputStream(file)) {
			keys.load(in, PASSWORD);
		}
		KeyStore trusted = KeyStore.getInstance("PKCS12");
		trusted.load(null, PASSWORD);
		trusted.setCertificateEntry("server", keys.getCertificate("server"));
		KeyManagerFactory own = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
		own.init(keys, PASSWORD);
		TrustManagerFactory others = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
		others.init(trusted);
		SSLContext context = SSLContext.getInstance("TLS");
		context.init(own.getKeyManagers(), others.getTrustManagers(), null);
		return context;
	}

}
