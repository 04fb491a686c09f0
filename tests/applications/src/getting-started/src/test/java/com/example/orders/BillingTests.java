package com.example.orders;

import java.util.ArrayList;
import java.util.List;

import io.idempotent.test.AutoConfigureIdempotency;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.restclient.test.autoconfigure.AutoConfigureMockRestServiceServer;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.test.web.client.MockRestServiceServer;
import org.springframework.test.web.client.RequestMatcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.springframework.test.web.client.response.MockRestResponseCreators.withStatus;
import static org.springframework.test.web.client.response.MockRestResponseCreators.withSuccess;

@SpringBootTest(properties = "billing.cron=-")
@AutoConfigureMockRestServiceServer
@AutoConfigureIdempotency
class BillingTests {

	@Autowired
	private MockRestServiceServer server;

	@Autowired
	private Billing billing;

	@Test
	void aFailedCallIsRepeatedUnderItsKey() {
		List<String> keys = new ArrayList<>();
		RequestMatcher recorded = (request) -> keys.add(request.getHeaders().getFirst("Idempotency-Key"));
		this.server.expect(recorded).andRespond(withStatus(HttpStatus.SERVICE_UNAVAILABLE));
		this.server.expect(recorded).andRespond(withSuccess("{\"number\":3,\"order\":7}", MediaType.APPLICATION_JSON));
		assertThat(this.billing.bill(7)).isEqualTo(3);
		assertThat(this.billing.bill(7)).isEqualTo(3);
		assertThat(keys).hasSize(2).doesNotContainNull().containsOnly(keys.get(0));
	}

}
