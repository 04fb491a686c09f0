package io.idempotent.versions;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.idempotent.embedded.EmbeddedRedis;
import io.idempotent.testing.TestPostgres;
import io.idempotent.versions.Shop.Answer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A node on the version of Spring Boot that the module has and one on 4.1, with one Redis
 * and one database: what one has done, the other does not do again.
 */
@Tag("slow")
class GenerationsTests {

	private static final Path OTHER = Path.of("../spring-boot-4.1/target");

	private static EmbeddedRedis redis;

	private static TestPostgres postgres;

	private static Node old;

	private static Node current;

	private static List<String> arguments;

	@BeforeAll
	static void start() throws IOException {
		redis = EmbeddedRedis.start();
		postgres = TestPostgres.start();
		arguments = List.of("--spring.data.redis.port=" + redis.port(), "--spring.datasource.url=" + postgres.url(),
				"--spring.sql.init.mode=always", "--idempotent.initialize-schema=always",
				"--idempotent.defaults.lease=3s");
		startOld();
		startCurrent();
	}

	private static void startOld() {
		old = Node.start(System.getProperty("java.class.path"), arguments);
	}

	private static void startCurrent() throws IOException {
		current = Node.start(OTHER.resolve("test-classes") + ":" + Files.readString(OTHER.resolve("class-path")),
				arguments);
	}

	@AfterAll
	static void stop() {
		current.close();
		old.close();
		postgres.close();
		redis.close();
	}

	@ParameterizedTest
	@ValueSource(strings = { "header", "content", "method", "sale" })
	void whatOneNodeHasDoneTheOtherRepeats(String kind) throws Exception {
		assertRepeated(old.shop(), current.shop(), kind, kind + " of the old");
		assertRepeated(current.shop(), old.shop(), kind, kind + " of the new");
	}

	@Test
	void aTokenIsGoodAtTheOtherNode() throws Exception {
		String token = old.shop().token();
		Answer answer = current.shop().order("token", "Idempotent-Token", token, "token");
		assertThat(answer.status()).as(answer.body()).isEqualTo(201);
		assertThat(old.shop().order("token", "Idempotent-Token", token, "token").body()).isEqualTo(answer.body());
	}

	/** An upgrade, and the way back, while clients click twice. */
	@Test
	void eachOrderIsPlacedOnceWhileNodesAreKilledAndReplaced() throws Exception {
		try (Customers customers = new Customers(() -> List.of(old.shop(), current.shop()))) {
			customers.awaitOrders(50);
			current.process().kill();
			customers.awaitOrders(50);
			startCurrent();
			customers.awaitOrders(50);
			old.process().kill();
			customers.awaitOrders(50);
			startOld();
			customers.awaitOrders(50);
			Map<String, Set<String>> responses = customers.finish();
			String orders = old.shop().get("/orders");
			responses.forEach((article, received) -> {
				assertThat(received).as(article).hasSizeLessThan(2);
				assertThat(orders.split("\"" + article + "\"", -1)).as(article).hasSize(2);
			});
		}
	}

	private static void assertRepeated(Shop first, Shop second, String kind, String article) throws Exception {
		Answer answer = first.order(kind, "Idempotency-Key", article.replace(' ', '-'), article);
		assertThat(answer.status()).as(answer.body()).isEqualTo(201);
		Answer repeated = second.order(kind, "Idempotency-Key", article.replace(' ', '-'), article);
		assertThat(repeated.body()).isEqualTo(answer.body());
		assertThat(second.get("/orders").split(article, -1)).hasSize(2);
	}

}
