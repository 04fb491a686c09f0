package io.idempotent.lock.method;

import java.time.Duration;

import io.idempotent.lock.LockUnavailableException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.util.ReflectionUtils;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

@ExtendWith(OutputCaptureExtension.class)
class SkippedRunsTests {

	private final SkippedRuns runs = new SkippedRuns(ReflectionUtils.findMethod(Job.class, "run"),
			Duration.ofMillis(100));

	@Test
	void anOutageIsLoggedAtItsStartAndEndWithSkippedRuns(CapturedOutput output) {
		for (int tick = 0; tick < 20; tick++) {
			this.runs.skipped(new LockUnavailableException("No server:\n\tconnection refused", null));
		}
		await().until(() -> {
			this.runs.engineResponded();
			return output.getAll().contains("can be requested again");
		});
		this.runs.engineResponded();
		assertThat(output.getAll().lines().filter((line) -> line.contains("Job.run"))).hasSize(2)
			.satisfiesExactly(
					(first) -> assertThat(first).contains("WARN", "Skipped Job.run", "No server: connection refused"),
					(last) -> assertThat(last).contains("INFO", "runs skipped meanwhile: 20"));
	}

	@Test
	void theNextOutageIsLoggedAndCountedAnew(CapturedOutput output) {
		for (int outage = 1; outage <= 2; outage++) {
			this.runs.skipped(new LockUnavailableException("No server", null));
			int told = outage;
			await().until(() -> {
				this.runs.engineResponded();
				return output.getAll().lines().filter((line) -> line.contains("meanwhile: 1")).count() == told;
			});
		}
		assertThat(output.getAll().lines().filter((line) -> line.contains("WARN"))).hasSize(2);
	}

	interface Job {

		void run();

	}

}
