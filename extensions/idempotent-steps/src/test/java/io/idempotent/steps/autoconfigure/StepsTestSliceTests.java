package io.idempotent.steps.autoconfigure;

import io.idempotent.ApiIdempotent;
import io.idempotent.KeySource;
import io.idempotent.steps.OperationSteps;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.webmvc.test.autoconfigure.WebMvcTest;
import org.springframework.context.annotation.Import;
import org.springframework.test.annotation.DirtiesContext;
import org.springframework.test.context.ContextConfiguration;
import org.springframework.test.web.servlet.MockMvc;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.post;
import static org.springframework.test.web.servlet.result.MockMvcResultMatchers.content;

/**
 * A slice without a database runs a handler that has steps.
 */
@WebMvcTest
@DirtiesContext
@ContextConfiguration(classes = StepsTestSliceTests.Application.class)
class StepsTestSliceTests {

	@Test
	void stepsRunWithoutRecords(@Autowired MockMvc mvc) throws Exception {
		mvc.perform(post("/payments").header("Idempotency-Key", "1")).andExpect(content().string("charged, booked"));
	}

	@SpringBootConfiguration
	@EnableAutoConfiguration
	@Import(Payments.class)
	static class Application {

	}

	@RestController
	static class Payments {

		@PostMapping("/payments")
		@ApiIdempotent(KeySource.HEADER)
		String pay(OperationSteps steps) {
			return steps.external("charge", String.class, (key) -> "charged")
					+ steps.transactional("book", String.class, () -> ", booked");
		}

	}

}
