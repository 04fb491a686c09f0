package io.idempotent.versions;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

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

	@BeforeAll
	static void start() throws IOException {
		redis = EmbeddedRedis.start();
		postgres = TestPostgres.start();
		List<String> arguments = List.of("--spring.data.redis.port=" + redis.port(),
				"--spring.datasource.url=" + postgres.url(), "--spring.sql.init.mode=always",
				"--idempotent.initialize-schema=always");
		old = Node.start(System.getProperty("java.class.path"), arguments);
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

	private static void assertRepeated(Shop first, Shop second, String kind, String article) throws Exception {
		Answer answer = first.order(kind, "Idempotency-Key", article.replace(' ', '-'), article);
		assertThat(answer.status()).as(answer.body()).isEqualTo(201);
		Answer repeated = second.order(kind, "Idempotency-Key", article.replace(' ', '-'), article);
		assertThat(repeated.body()).isEqualTo(answer.body());
		assertThat(second.get("/orders").split(article, -1)).hasSize(2);
	}

}
