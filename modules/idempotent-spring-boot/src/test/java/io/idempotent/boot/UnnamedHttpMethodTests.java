package io.idempotent.boot;

import java.util.List;

import io.idempotent.ApiIdempotent;
import io.idempotent.KeySource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestMethod;
import org.springframework.web.bind.annotation.RestController;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A mapping of an annotated class that does not name its HTTP methods is warned of.
 */
@ExtendWith(OutputCaptureExtension.class)
class UnnamedHttpMethodTests {

	@Test
	void aMappingWithoutAnHttpMethodCausesOneWarning(CapturedOutput output) {
		StartUp.run(List.of(Payments.class)).close();
		assertThat(output).containsOnlyOnce("is mapped without an HTTP method")
			.contains("Payments.settle is mapped without an HTTP method", "GET, HEAD, OPTIONS and TRACE",
					"(@PostMapping, or method = RequestMethod.POST), or annotate the method itself");
	}

	@RestController
	@ApiIdempotent(KeySource.HEADER)
	static class Payments {

		@RequestMapping({ "/settle", "/pay" })
		String settle() {
			return "settled";
		}

		@RequestMapping("/refund")
		@ApiIdempotent(KeySource.HEADER)
		String refund() {
			return "refunded";
		}

		@RequestMapping(path = "/cancel", method = { RequestMethod.GET, RequestMethod.POST })
		String cancel() {
			return "cancelled";
		}

		@PostMapping("/create")
		String create() {
			return "created";
		}

		@GetMapping("/list")
		String list() {
			return "list";
		}

	}

}
