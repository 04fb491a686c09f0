package io.idempotent.boot;

import java.util.List;

import io.idempotent.ApiIdempotent;
import io.idempotent.Idempotent;
import io.idempotent.WhenInProgress;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.stereotype.Component;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Settings of operations that have no effect are warned of when the application starts.
 */
@ExtendWith(OutputCaptureExtension.class)
@Tag("slow")
class OperationSettingsWarningTests {

	private static final String WARNING = "These settings of operations have no effect: ";

	@Test
	void settingsOfRequestsHaveNoEffectOnMethods(CapturedOutput output) {
		start(Payments.class, "idempotent.operations.Payments.pay.source=header",
				"idempotent.operations.Payments.pay.compared-fields=amount");
		assertThat(output)
			.contains(WARNING + "idempotent.operations.Payments.pay.compared-fields (only for @ApiIdempotent")
			.contains("idempotent.operations.Payments.pay.source (only for @ApiIdempotent");
	}

	@Test
	void aWaitTimeoutHasNoEffectWithoutWaiting(CapturedOutput output) {
		start(Orders.class, "idempotent.defaults.when-in-progress=reject",
				"idempotent.operations.Orders.cancel.wait-timeout=1s");
		assertThat(output).contains(WARNING)
			.contains("idempotent.operations.Orders.cancel.wait-timeout (duplicates wait only if")
			.contains("waitTimeout of the operation 'Orders.place' (duplicates wait only if")
			.doesNotContain("'Orders.change'");
	}

	@Test
	void aPropertyMayDisableTheWaitingOfAnAnnotation(CapturedOutput output) {
		start(Patient.class, "idempotent.operations.Patient.change.when-in-progress=reject");
		assertThat(output).doesNotContain(WARNING);
	}

	@Test
	void effectiveSettingsCauseNoWarning(CapturedOutput output) {
		start(Patient.class, "idempotent.operations.Patient.change.source=header",
				"idempotent.operations.Patient.change.compared-fields=a",
				"idempotent.operations.Patient.change.wait-timeout=1s");
		assertThat(output).doesNotContain(WARNING);
	}

	private static void start(Class<?> bean, String... properties) {
		try (ConfigurableApplicationContext context = StartUp.run(List.of(bean), properties)) {
			assertThat(context.isRunning()).isTrue();
		}
	}

	@RestController
	static class Orders {

		@ApiIdempotent(waitTimeout = "2s")
		@PostMapping("/place")
		String place() {
			return "placed";
		}

		@ApiIdempotent
		@PostMapping("/cancel")
		String cancel() {
			return "cancelled";
		}

		@ApiIdempotent(whenInProgress = WhenInProgress.WAIT, waitTimeout = "2s")
		@PostMapping("/change")
		String change() {
			return "changed";
		}

	}

	@RestController
	static class Patient {

		@ApiIdempotent(whenInProgress = WhenInProgress.WAIT, waitTimeout = "2s")
		@PostMapping("/change")
		String change() {
			return "changed";
		}

	}

	@Component
	static class Payments {

		@Idempotent(key = "#id")
		void pay(String id) {
		}

	}

}
