package io.idempotent.jpa;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.UUID;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import org.springframework.boot.WebApplicationType;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Requests on two nodes whose views keep an entity manager open, with a transaction or
 * without.
 */
@Tag("slow")
class OpenInViewTests {

	private final HttpClient client = HttpClient.newHttpClient();

	@Test
	void anOpenEntityManagerDoesNotHideTheTransaction() throws Exception {
		WatchedDatabase database = WatchedDatabase.h2("view");
		String payment = UUID.randomUUID().toString();
		try (Node first = start(database); Node second = start(database)) {
			database.takeStatements();
			assertThat(order(first, payment).body()).isEqualTo("sold in view");
			assertThat(database.takeStatements()).filteredOn((statement) -> statement.startsWith("insert"))
				.containsExactly("insert into idempotent_receipt", "insert into sale");
			HttpResponse<String> repeat = order(second, payment);
			assertThat(repeat.statusCode()).isEqualTo(409);
			assertThat(repeat.body()).contains("response-unavailable");
		}
		assertThat(database.sales(payment)).isOne();
	}

	private static Node start(WatchedDatabase database) {
		return Node.start(WebApplicationType.SERVLET, database, "spring.jpa.open-in-view=true");
	}

	private HttpResponse<String> order(Node node, String payment) throws Exception {
		URI sales = URI.create("http://localhost:"
				+ node.context().getEnvironment().getRequiredProperty("local.server.port") + "/sales");
		return this.client.send(HttpRequest.newBuilder(sales)
			.header("Idempotency-Key", payment)
			.header("Content-Type", "text/plain")
			.POST(HttpRequest.BodyPublishers.ofString(payment))
			.build(), HttpResponse.BodyHandlers.ofString());
	}

}
