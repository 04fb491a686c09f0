package io.idempotent.sample;

import java.net.http.HttpResponse;

import com.jayway.jsonpath.JsonPath;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.test.web.servlet.setup.MockMvcBuilders;
import org.springframework.web.context.WebApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.post;
import static org.springframework.test.web.servlet.result.MockMvcResultMatchers.status;

/**
 * What an operator of the shop sees and changes of its lock engine.
 */
@SpringBootTest(webEnvironment = WebEnvironment.RANDOM_PORT)
class LockEngineTests {

	private Shop shop;

	@BeforeEach
	void openShop(@LocalServerPort int port) {
		this.shop = new Shop(port);
	}

	@AfterEach
	void switchBack() {
		assertThat(switchTo("/redisson").statusCode()).isEqualTo(200);
	}

	@Test
	void locksAreSwitchedToTheNamedEngine() {
		assertThat(switchTo("/jdbc").statusCode()).isEqualTo(200);
		assertThat(engine(this.shop.get("/locks/engine"))).isEqualTo("jdbc");
	}

	@Test
	void withoutANameTheNextEngineIsSwitchedTo() {
		assertThat(engine(switchTo(""))).isEqualTo("jdbc");
		assertThat(engine(switchTo(""))).isEqualTo("redisson");
	}

	@Test
	void anUnknownEngineIsNotFound() {
		assertThat(switchTo("/etcd").statusCode()).isEqualTo(404);
		assertThat(engine(this.shop.get("/locks/engine"))).isEqualTo("redisson");
	}

	@Test
	void anotherMachineIsRefused(@Autowired WebApplicationContext context) throws Exception {
		MockMvcBuilders.webAppContextSetup(context).build().perform(post("/locks/engine").with((request) -> {
			request.setRemoteAddr("192.0.2.1");
			return request;
		})).andExpect(status().isForbidden());
		assertThat(engine(this.shop.get("/locks/engine"))).isEqualTo("redisson");
	}

	private HttpResponse<String> switchTo(String engine) {
		return this.shop.post("/locks/engine" + engine, "");
	}

	private static String engine(HttpResponse<String> response) {
		return JsonPath.read(response.body(), "$.engine");
	}

}
