package com.example.shop;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import io.idempotent.client.IdempotentClientSettings;
import io.idempotent.client.autoconfigure.IdempotentClientAutoConfiguration;
import org.junit.jupiter.api.Test;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.restclient.autoconfigure.RestClientAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.webclient.autoconfigure.WebClientAutoConfiguration;
import org.springframework.web.client.RestClient;
import org.springframework.web.reactive.function.client.WebClient;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The Java of docs/clients.md is that of this package, and its configurations start.
 */
class ClientsDocumentTests {

	private static final Path ROOT = Path.of("..", "..");

	private static final Pattern JAVA = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL);

	@Test
	void everyExampleIsCompiled() throws IOException {
		List<String> sources = sources("tests/client/src/test/java/com/example/shop");
		List<String> examples = JAVA.matcher(Files.readString(ROOT.resolve("docs/clients.md")))
			.results()
			.map((match) -> match.group(1))
			.toList();
		assertThat(examples).isNotEmpty()
			.allSatisfy((example) -> assertThat(sources).anyMatch((source) -> source.contains(example)));
	}

	@Test
	void theConfigurationsStart() {
		new ApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(IdempotentClientAutoConfiguration.class,
					RestClientAutoConfiguration.class, WebClientAutoConfiguration.class))
			.withUserConfiguration(PaymentClientConfiguration.class, PaymentServices.class)
			.run((context) -> assertThat(context).hasNotFailed()
				.hasSingleBean(PaymentClient.class)
				.hasSingleBean(RestClient.class)
				.hasSingleBean(WebClient.class));
	}

	@Test
	void noClientRepeatsCallsByItself() {
		new ApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(IdempotentClientAutoConfiguration.class,
					RestClientAutoConfiguration.class, WebClientAutoConfiguration.class))
			.run((context) -> {
				assertThat(context).hasSingleBean(IdempotentClientSettings.class);
				context.getBean(RestClient.Builder.class)
					.requestInterceptors((interceptors) -> assertThat(interceptors).isEmpty());
				context.getBean(WebClient.Builder.class).filters((filters) -> assertThat(filters).isEmpty());
			});
	}

	private static List<String> sources(String directory) throws IOException {
		try (Stream<Path> files = Files.list(ROOT.resolve(directory))) {
			return files.map(ClientsDocumentTests::read).toList();
		}
	}

	private static String read(Path file) {
		try {
			return Files.readString(file);
		}
		catch (IOException ex) {
			throw new IllegalStateException(ex);
		}
	}

}
