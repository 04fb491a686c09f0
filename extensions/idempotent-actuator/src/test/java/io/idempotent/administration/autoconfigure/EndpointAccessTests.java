package io.idempotent.administration.autoconfigure;

import java.net.http.HttpRequest.BodyPublishers;
import java.util.List;
import java.util.stream.Stream;

import io.idempotent.administration.autoconfigure.OperatorServer.Answer;
import io.idempotent.lock.zookeeper.autoconfigure.ZooKeeperLockAutoConfiguration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.actuate.endpoint.jmx.ExposableJmxEndpoint;
import org.springframework.boot.actuate.endpoint.jmx.annotation.JmxEndpointDiscoverer;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.context.annotation.Configuration;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Who may read the endpoint, and who may write to it.
 */
@Tag("slow")
class EndpointAccessTests {

	private static int read(OperatorServer server, @Nullable String user) {
		return server.answer(server.management(user, "")).status();
	}

	private static Answer write(OperatorServer server, @Nullable String user) {
		return server.answer(server.management(user, "")
			.header("Content-Type", "application/json")
			.POST(BodyPublishers.ofString(OperatorServer.json("action", "release", "reason", "A test", "operation",
					"refund", "key", "absent"))));
	}

	@Test
	void theEndpointIsReadOnlyByDefault() {
		try (OperatorServer server = OperatorServer.start(List.of(Shop.class))) {
			assertThat(read(server, null)).isEqualTo(401);
			assertThat(read(server, "ann")).isEqualTo(403);
			assertThat(read(server, "reader")).isEqualTo(200);
			assertThat(write(server, "operator").status()).isEqualTo(405);
		}
	}

	@Test
	void anOperatorWritesOnceAccessIsUnrestricted() {
		try (OperatorServer server = OperatorServer.start(List.of(Shop.class),
				"management.endpoint.idempotent.access=unrestricted")) {
			assertThat(write(server, null).status()).isEqualTo(401);
			assertThat(write(server, "reader").status()).isEqualTo(403);
			Answer refused = write(server, "operator");
			assertThat(refused.status()).as(refused.body()).isEqualTo(409);
			assertThat(refused.text("refused")).isEqualTo("NOT_IN_PROGRESS");
		}
	}

	@Test
	void theEndpointMovesToAnotherPortAndPath() {
		try (OperatorServer server = OperatorServer.start(List.of(Shop.class), "management.server.port=0",
				"management.endpoints.web.base-path=/manage", "management.endpoint.idempotent.access=unrestricted")) {
			assertThat(server.port("local.management.port")).isNotEqualTo(server.port("local.server.port"));
			assertThat(read(server, null)).isEqualTo(401);
			assertThat(server.get("").text("namespace")).isEqualTo("shop");
			assertThat(server.get("").json().get("operations").size()).isGreaterThan(5);
			assertThat(write(server, "reader").status()).isEqualTo(403);
			assertThat(write(server, "operator").status()).isEqualTo(409);
			server.send(server.post(null, "/refunds/5", "application/json", "{}"));
			assertThat(server.get("/record", "operation", "refund", "key", "5").text("state")).isEqualTo("COMPLETED");
		}
	}

	@Test
	void theBodyIsShownToAuthorizedUsers() {
		try (OperatorServer server = OperatorServer.start(List.of(Shop.class),
				"management.endpoint.idempotent.show-response=when-authorized",
				"management.endpoint.idempotent.roles=OPERATOR")) {
			server.send(server.post(null, "/refunds/9", "application/json", "{}"));
			server.send(server.request(null, "/invoices/9").PUT(BodyPublishers.noBody()));
			server.send(server.post(null, "/notes", "application/json", "{}").header("Idempotency-Key", "9"));
			assertBodiesAreShown(server, "reader", false);
			assertBodiesAreShown(server, "operator", true);
		}
	}

	private static void assertBodiesAreShown(OperatorServer server, String user, boolean shown) {
		Answer refund = server.answer(server.management(user, "/record?operation=refund&key=9"));
		assertThat(refund.json().at("/response/bytes").asInt()).isEqualTo("\"refund 9\"".length());
		assertThat(refund.text("response.body")).isEqualTo(shown ? "\"refund 9\"" : "");
		Answer note = server.answer(server.management(user, "/record?operation=note&key=9&path=/notes&method=POST"));
		assertThat(note.json().at("/response/status").asInt()).isEqualTo(201);
		assertThat(note.text("response.body")).isEqualTo(shown ? "note" : "");
		Answer invoice = server.answer(server.management(user, "/record?operation=invoice&key=9"));
		assertThat(invoice.text("response.base64")).isEqualTo(shown ? "AQID" : "");
	}

	/** JMX does not tell who an operator is. */
	@Test
	void theEndpointIsNotExposedOverJmx() {
		new WebApplicationContextRunner().withUserConfiguration(Everything.class)
			.withPropertyValues("spring.jmx.enabled=true", "management.endpoints.jmx.exposure.include=*",
					"management.endpoints.web.exposure.include=*", "idempotent.store.type=local")
			.run((context) -> {
				assertThat(context).hasSingleBean(IdempotentEndpoint.class);
				assertThat(context.getBean(JmxEndpointDiscoverer.class).getEndpoints())
					.extracting(ExposableJmxEndpoint::getEndpointId)
					.isNotEmpty()
					.noneMatch((id) -> id.toString().equals("idempotent"));
			});
	}

	@ParameterizedTest
	@ValueSource(strings = { "management.endpoints.web.exposure.include=health",
			"management.endpoint.idempotent.access=NONE", "idempotent.enabled=false" })
	void theEndpointIsAbsentUnlessItIsExposed(String property) {
		new WebApplicationContextRunner().withUserConfiguration(Everything.class)
			.withPropertyValues("management.endpoints.web.exposure.include=*", "idempotent.store.type=local", property)
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(IdempotentEndpoint.class));
	}

	@ParameterizedTest
	@CsvSource({ "engine store method webmvc, locks, idempotent", "lock, idempotent, locks" })
	void locksAndOperationsNeedNotEachOther(String absentPackages, String present, String gone) {
		String[] absent = Stream.of(absentPackages.split(" ")).map("io.idempotent."::concat).toArray(String[]::new);
		new WebApplicationContextRunner().withUserConfiguration(Everything.class)
			.withClassLoader(new FilteredClassLoader(absent))
			.withPropertyValues("management.endpoints.web.exposure.include=*", "idempotent.store.type=local",
					"idempotent.lock.engines=local")
			.run((context) -> assertThat(context).hasNotFailed()
				.hasBean("io.idempotent." + present + "Endpoint")
				.doesNotHaveBean("io.idempotent." + gone + "Endpoint"));
	}

	/** Without what brings the locks itself. */
	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration(exclude = ZooKeeperLockAutoConfiguration.class)
	static class Everything {

	}

}
