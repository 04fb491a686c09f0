package io.idempotent.webmvc;

import java.nio.charset.StandardCharsets;
import java.util.Base64;

import io.idempotent.ApiIdempotent;
import io.idempotent.KeySource;
import io.idempotent.Refusal;
import io.idempotent.test.AutoConfigureIdempotency;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.webmvc.test.autoconfigure.AutoConfigureMockMvc;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.mock.web.MockHttpSession;
import org.springframework.test.annotation.DirtiesContext;
import org.springframework.test.web.servlet.MockMvc;
import org.springframework.test.web.servlet.MvcResult;
import org.springframework.test.web.servlet.request.RequestPostProcessor;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

import static io.idempotent.test.web.IdempotencyMockMvcRequestPostProcessors.idempotencyToken;
import static io.idempotent.test.web.IdempotencyMockMvcResultMatchers.notReplayed;
import static io.idempotent.test.web.IdempotencyMockMvcResultMatchers.refused;
import static io.idempotent.test.web.IdempotencyMockMvcResultMatchers.replayed;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.post;
import static org.springframework.test.web.servlet.result.MockMvcResultMatchers.status;

/**
 * Tokens of MockMvc belong to the caller, the session and the names of the application.
 */
@SpringBootTest(properties = { "idempotent.web.bind-to-session=true", "idempotent.token.header=X-Form",
		"idempotent.token.path=/form-token" })
@AutoConfigureMockMvc
@AutoConfigureIdempotency
@DirtiesContext
class MockMvcTokenTests {

	@Autowired
	private MockMvc mvc;

	@Test
	void aTokenBelongsToTheCallerOfItsFirstRequest() throws Exception {
		RequestPostProcessor token = idempotencyToken();
		this.mvc.perform(post("/closed/orders").with(caller("ann")).with(token)).andExpect(status().isOk());
		this.mvc.perform(post("/closed/orders").with(caller("bob")).with(token))
			.andExpect(refused(Refusal.TOKEN_UNKNOWN));
	}

	@Test
	void aTokenBelongsToTheSessionThatBeginsWithIt() throws Exception {
		RequestPostProcessor token = idempotencyToken();
		MvcResult first = this.mvc.perform(post("/closed/orders").with(caller("ann")).with(token))
			.andExpectAll(status().isOk(), notReplayed())
			.andReturn();
		this.mvc
			.perform(post("/closed/orders").with(caller("ann"))
				.with(token)
				.session((MockHttpSession) first.getRequest().getSession()))
			.andExpectAll(status().isOk(), replayed());
		this.mvc.perform(post("/closed/orders").with(caller("ann")).with(token))
			.andExpect(refused(Refusal.TOKEN_UNKNOWN));
	}

	private static RequestPostProcessor caller(String name) {
		String credentials = Base64.getEncoder().encodeToString((name + ":secret").getBytes(StandardCharsets.UTF_8));
		return (request) -> {
			request.addHeader("Authorization", "Basic " + credentials);
			return request;
		};
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@Import({ TestSecurity.class, Orders.class })
	static class Application {

	}

	@RestController
	static class Orders {

		@PostMapping("/closed/orders")
		@ApiIdempotent(KeySource.TOKEN)
		String place() {
			return "placed";
		}

	}

}
