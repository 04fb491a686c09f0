package io.idempotent.sample;

import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.List;

import com.jayway.jsonpath.JsonPath;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Two shops, one database: set up by nothing but the arguments that the first one names.
 */
@Tag("slow")
class TwoNodesTests {

	@TempDir
	private static Path directory;

	private static Node first;

	private static Node second;

	@BeforeAll
	static void startNodes() throws Exception {
		String database = "--spring.datasource.url=jdbc:h2:file:" + directory.resolve("shop") + ";AUTO_SERVER=TRUE";
		first = Node.start(directory.resolve("first.txt"), database);
		second = Node.start(directory.resolve("second.txt"), database, "--spring.data.redis.port=" + first.redisPort());
	}

	@AfterAll
	static void killNodes() {
		for (Node node : new Node[] { second, first }) {
			if (node != null) {
				node.close();
			}
		}
	}

	@Test
	void secondNodeJoinsTheRedisOfTheFirst() {
		assertThat(first.hasItsOwnRedis()).isTrue();
		assertThat(second.hasItsOwnRedis()).isFalse();
	}

	@Test
	void ordersOfBothNodesAreInOneDatabase() {
		for (int i = 0; i < 3; i++) {
			first.shop().submit("/orders", Shop.order("lea", "green-tea", 1));
			second.shop().submit("/orders", Shop.order("lea", "green-tea", 1));
		}
		List<Integer> ids = first.shop().orderIdsOf("lea");
		assertThat(ids).hasSize(6).doesNotHaveDuplicates();
		assertThat(second.shop().orderIdsOf("lea")).isEqualTo(ids);
	}

	@Test
	void orderIsSettledOnceByAnyNode() {
		HttpResponse<String> order = first.shop().submit("/orders", Shop.order("max", "green-tea", 1));
		String payment = "{\"orderId\": %s, \"amount\": 5}".formatted(JsonPath.<Integer>read(order.body(), "$.id"));
		assertThat(first.shop().post("/payments", payment, "Idempotency-Key", "one").statusCode()).isEqualTo(201);
		assertThat(second.shop().post("/payments", payment, "Idempotency-Key", "other").statusCode()).isEqualTo(409);
	}

}
