package io.idempotent.sample;

import java.net.http.HttpResponse;

import com.jayway.jsonpath.JsonPath;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What an operator of the shop sees and changes of its lock engine.
 */
@SpringBootTest(webEnvironment = WebEnvironment.RANDOM_PORT, properties = "spring.security.user.password=secret")
@Tag("slow")
class LockEngineTests {

	private Shop shop;

	@BeforeEach
	void openShop(@LocalServerPort int port) {
		this.shop = new Shop(port);
	}

	@AfterEach
	void switchBack() {
		assertThat(switchTo("redisson").statusCode()).isEqualTo(200);
	}

	@Test
	void locksAreSwitchedToTheNamedEngine() {
		assertThat(switchTo("jdbc").statusCode()).isEqualTo(200);
		assertThat(engine()).isEqualTo("jdbc");
	}

	@Test
	void anUnknownEngineIsRefused() {
		assertThat(switchTo("etcd").statusCode()).isEqualTo(400);
		assertThat(engine()).isEqualTo("redisson");
	}

	@Test
	void nobodyElseSeesOrSwitchesTheEngine() {
		assertThat(this.shop.get("/actuator/locks").statusCode()).isEqualTo(401);
		assertThat(this.shop.switchTo("jdbc", "wrong").statusCode()).isEqualTo(401);
		assertThat(engine()).isEqualTo("redisson");
	}

	private HttpResponse<String> switchTo(String engine) {
		return this.shop.switchTo(engine, "secret");
	}

	private String engine() {
		return JsonPath.read(this.shop.locks("secret").body(), "$.engine");
	}

}
