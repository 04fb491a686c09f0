package io.idempotent.guest;

import java.io.IOException;
import java.io.PrintStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.util.ClassUtils;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerAdapter;

/**
 * Starts applications and writes down what each has and how it answers, a line for each
 * fact. What differs between two starts is left out.
 */
final class Report {

	/** Types that applications inject without a name. */
	private static final List<String> INJECTED = List.of("org.springframework.cache.CacheManager",
			"org.springframework.scheduling.TaskScheduler", "org.springframework.core.task.TaskExecutor",
			"java.util.concurrent.Executor", "java.util.concurrent.ScheduledExecutorService", "javax.sql.DataSource",
			"org.springframework.transaction.PlatformTransactionManager",
			"org.springframework.transaction.support.TransactionTemplate",
			"org.springframework.jdbc.core.JdbcOperations", "tools.jackson.databind.ObjectMapper",
			"tools.jackson.databind.json.JsonMapper",
			"org.springframework.data.redis.connection.RedisConnectionFactory",
			"org.springframework.data.redis.core.StringRedisTemplate", "org.redisson.api.RedissonClient",
			"org.springframework.core.convert.ConversionService", "org.springframework.validation.Validator",
			"org.springframework.session.SessionRepository", "io.micrometer.observation.ObservationRegistry",
			"io.micrometer.core.instrument.MeterRegistry", "java.time.Clock",
			"org.springframework.web.client.RestClient$Builder", "com.mongodb.client.MongoClient",
			"jakarta.persistence.EntityManagerFactory", "org.springframework.security.web.SecurityFilterChain",
			"org.springframework.batch.core.job.Job");

	private static final List<String> PATHS = List.of("/missing", "/quote", "/thread", "/actuator/health",
			"/v3/api-docs", "/token");

	/** Printed after what an application has logged. */
	static final String END = "=== end of an application ===";

	private final PrintStream out;

	/** Not those of an application before. */
	private final Set<Thread> threads;

	private Report(PrintStream out, Set<Thread> threads) {
		this.out = out;
		this.threads = threads;
	}

	/**
	 * Writes reports.
	 * @param starts of each application, in lines: where to, its class, and its own
	 * arguments
	 */
	public static void main(String[] starts) throws Exception {
		for (String start : starts) {
			List<String> words = start.lines().toList();
			write(Path.of(words.get(0)), Class.forName(words.get(1)),
					words.subList(2, words.size()).toArray(String[]::new));
			System.out.println(END);
		}
		// A thread that is no daemon would keep it alive.
		System.exit(0);
	}

	private static void write(Path file, Class<?> application, String[] arguments) throws Exception {
		Set<Thread> before = Thread.getAllStackTraces().keySet();
		try (ConfigurableApplicationContext context = SpringApplication.run(application, arguments);
				PrintStream out = new PrintStream(Files.newOutputStream(file), false, StandardCharsets.UTF_8)) {
			new Report(out, before).write(context);
		}
	}

	private void write(ConfigurableApplicationContext context) throws IOException, InterruptedException {
		writeBeans(context.getBeanFactory());
		INJECTED.stream()
			.filter((type) -> ClassUtils.isPresent(type, null))
			.forEach((type) -> writeInjected(context.getBeanFactory(), ClassUtils.resolveClassName(type, null)));
		context.getBean(RequestMappingHandlerAdapter.class)
			.getMessageConverters()
			.forEach((converter) -> line("converter", converter.getClass().getName()));
		int port = Integer.parseInt(context.getEnvironment().getRequiredProperty("local.server.port"));
		writeResponses(URI.create("http://localhost:" + port));
		Thread.getAllStackTraces()
			.keySet()
			.stream()
			.filter((thread) -> !this.threads.contains(thread))
			.map((thread) -> thread.getName().replaceAll("[0-9a-f]{24}|\\d+", "N")
					+ (thread.isDaemon() ? "" : " (no daemon)"))
			.distinct()
			.forEach((name) -> line("thread", name));
	}

	private void writeBeans(ConfigurableListableBeanFactory beans) {
		for (String name : beans.getBeanDefinitionNames()) {
			Class<?> type = beans.getType(name, false);
			boolean primary = beans.getBeanDefinition(name).isPrimary();
			line("bean", stable(name) + (primary ? " (primary)" : "") + ": "
					+ ((type != null) ? stable(ClassUtils.getUserClass(type).getName()) : "?"));
		}
	}

	/** What is there already: asking for it would create what is lazy. */
	private void writeInjected(ConfigurableListableBeanFactory beans, Class<?> type) {
		for (String name : beans.getBeanNamesForType(type, true, false)) {
			if (beans.containsSingleton(name) && beans.getBeanDefinition(name).isAutowireCandidate()) {
				line("injected", type.getName() + ": " + name);
			}
		}
	}

	private void writeResponses(URI server) throws IOException, InterruptedException {
		HttpClient client = HttpClient.newHttpClient();
		for (String path : PATHS) {
			for (String accepted : List.of("application/json", "text/html")) {
				send(client, HttpRequest.newBuilder(server.resolve(path)).header("Accept", accepted).build());
			}
		}
		send(client, post(server, "{\"text\":\"a\",\"longName\":\"b\",\"time\":\"2026-01-01T00:00:00Z\"}"));
		send(client, post(server, "{"));
		send(client,
				HttpRequest.newBuilder(server.resolve("/echo"))
					.method("OPTIONS", BodyPublishers.noBody())
					.header("Origin", "https://other.example")
					.header("Access-Control-Request-Method", "POST")
					.build());
	}

	private static HttpRequest post(URI server, String json) {
		return HttpRequest.newBuilder(server.resolve("/echo"))
			.header("Content-Type", "application/json")
			.POST(BodyPublishers.ofString(json))
			.build();
	}

	private void send(HttpClient client, HttpRequest request) throws IOException, InterruptedException {
		HttpResponse<String> response = client.send(request, HttpResponse.BodyHandlers.ofString());
		String headers = response.headers()
			.map()
			.keySet()
			.stream()
			.filter((name) -> !name.startsWith(":"))
			.sorted()
			.collect(Collectors.joining(","));
		line("response", request.method() + " " + request.uri().getPath() + " "
				+ request.headers().firstValue("Accept").orElse("") + ": " + response.statusCode() + " " + headers + " "
				+ stable(response.body())
					.replaceAll("\\d{4}-\\d\\d-\\d\\dT[\\d:.]+Z|[A-Z][a-z]{2} [A-Z][a-z]{2} \\d.* \\d{4}", "now")
					.replaceAll("localhost:\\d+", "localhost")
					.replaceAll("_csrf\" value=\"[^\"]+|value=\"[\\w-]{60,}|\"(free|total)\":\\d+|\"token\":\"[\\w.-]+",
							"random")
					.replaceAll("\\s+", " "));
	}

	/** Without what is made up anew at each start. */
	private static String stable(String text) {
		return text.replaceAll("\\$\\$?Lambda[\\w$/.]*|\\$Proxy\\d+|\\$\\$SpringCGLIB\\$\\$\\d+|@[0-9a-f]{4,}", "*");
	}

	private void line(String kind, String text) {
		this.out.println(kind + " " + text.replace("\n", " "));
	}

}
