package io.idempotent.boot.lock;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

import io.idempotent.boot.lock.LockProperties.SingleLock;
import io.idempotent.boot.settings.InvalidConfigurationException;
import io.idempotent.lock.DistributedLock;
import io.idempotent.lock.DistributedLocked;
import io.idempotent.lock.DistributedLocks;
import io.idempotent.lock.LockEvent;
import io.idempotent.lock.LockListener;
import io.idempotent.lock.LockNotObtainedException;
import io.idempotent.lock.LockOptions;
import io.idempotent.lock.LockTemplate;
import io.idempotent.lock.WhenNotObtained;
import io.idempotent.lock.engine.LockEngine;
import io.idempotent.lock.engine.LockRequest;
import io.idempotent.lock.local.LocalLockEngine;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.mockito.ArgumentCaptor;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.context.properties.bind.DataObjectPropertyName;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.BDDMockito.given;
import static org.mockito.Mockito.atLeast;
import static org.mockito.Mockito.spy;
import static org.mockito.Mockito.verify;

/**
 * Properties of single locks win over the annotation and over options in the code.
 */
@ExtendWith(OutputCaptureExtension.class)
class PropertiesLockSettingsTests {

	private static final String LOCKS = "idempotent.lock.locks.";

	private static final String WARNING = "idempotent.lock.locks has settings of ";

	private final LockEngine engine = spy(new LocalLockEngine());

	private final List<LockEvent> events = new ArrayList<>();

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(AopAutoConfiguration.class, LockAutoConfiguration.class))
		.withBean(LockEngine.class, () -> this.engine)
		.withBean(LockListener.class, () -> this.events::add)
		.withBean(Jobs.class)
		.withPropertyValues("idempotent.lock.engines=recording,local", "spring.application.name=shop");

	PropertiesLockSettingsTests() {
		given(this.engine.name()).willReturn("recording");
	}

	@Test
	void thePropertiesPageListsEachSetting() throws IOException {
		String row = "| `idempotent.lock.locks[<name>].";
		assertThat(Files.readAllLines(Path.of("..", "..", "docs", "properties.md")))
			.filteredOn((line) -> line.startsWith(row))
			.extracting((line) -> line.substring(row.length(), line.indexOf('`', row.length())))
			.isEqualTo(Arrays.stream(SingleLock.class.getRecordComponents())
				.map((component) -> DataObjectPropertyName.toDashedForm(component.getName()))
				.toList());
	}

	@Test
	void propertiesWinOverTheAnnotation() {
		this.runner
			.withPropertyValues(LOCKS + "nightly.lease-time=7s", LOCKS + "nightly.fair=true",
					LOCKS + "nightly.hold-at-least=1h")
			.run((context) -> {
				context.getBean(Jobs.class).nightly();
				LockRequest request = requests().get(0);
				assertThat(request.lease()).isEqualTo(Duration.ofSeconds(7));
				assertThat(request.fair()).isTrue();
				assertThat(context.getBean(DistributedLocks.class).get("nightly").tryLock()).isFalse();
			});
	}

	@Test
	void unsetPropertiesLeaveTheAnnotation() {
		this.runner.withPropertyValues(LOCKS + "nightly.fair=true").run((context) -> {
			context.getBean(Jobs.class).nightly();
			assertThat(requests().get(0).lease()).isEqualTo(Duration.ofSeconds(20));
		});
	}

	@Test
	void theLongestHoldLimitsTheLease() {
		this.runner.withPropertyValues(LOCKS + "nightly.hold-at-most=3s").run((context) -> {
			context.getBean(Jobs.class).nightly();
			assertThat(requests().get(0).lease()).isEqualTo(Duration.ofSeconds(3));
		});
	}

	@Test
	void theEngineIsThatOfTheProperty() {
		this.runner.withPropertyValues(LOCKS + "nightly.engine=local").run((context) -> {
			context.getBean(Jobs.class).nightly();
			assertThat(requests()).isEmpty();
			assertThat(this.events).extracting(LockEvent::engine).containsOnly("local");
		});
	}

	@Test
	void theWaitTimeIsThatOfTheProperty() {
		this.runner.withPropertyValues(LOCKS + "patient.wait-time=0").run((context) -> {
			take("shop:lock:patient:1");
			assertThatExceptionOfType(LockNotObtainedException.class)
				.isThrownBy(() -> context.getBean(Jobs.class).patient(1))
				.withMessageContaining("within 0s");
		});
	}

	@Test
	void propertiesApplyToTheGroupOfALock() {
		this.runner.withPropertyValues(LOCKS + "import.lease-time=7s", LOCKS + "import.fair=true").run((context) -> {
			LockOptions options = LockOptions.DEFAULTS.withLease(Duration.ofSeconds(50));
			DistributedLocks locks = context.getBean(DistributedLocks.class);
			locks.get("import:prices", options).lock();
			locks.get("imports", options).lock();
			locks.all(List.of("import:a"), options).lock();
			assertThat(requests()).extracting(LockRequest::lease)
				.containsExactly(Duration.ofSeconds(7), Duration.ofSeconds(50), Duration.ofSeconds(7));
		});
	}

	@Test
	void aTemplateWaitsAsLongAsThePropertySays() {
		this.runner.withPropertyValues(LOCKS + "import.wait-time=10ms").run((context) -> {
			take("shop:lock:import:a");
			LockTemplate template = context.getBean(LockTemplate.class).withWait(Duration.ofMinutes(5));
			assertThatExceptionOfType(LockNotObtainedException.class)
				.isThrownBy(() -> template.executeWithoutResult("import:a", () -> {
				}));
		});
	}

	@Test
	void aSkippedCallWaitsAsLongAsThePropertySays() {
		this.runner.withPropertyValues(LOCKS + "skipping.wait-time=10ms").run((context) -> {
			take("shop:lock:skipping");
			context.getBean(Jobs.class).skipping();
			assertThat(this.events).filteredOn((event) -> event.type() == LockEvent.Type.SKIPPED)
				.singleElement()
				.satisfies((event) -> assertThat(event.time()).isEqualTo(Duration.ofMillis(10)));
		});
	}

	@Test
	void anExtensionKeepsTheLongestHold() {
		this.runner.withPropertyValues(LOCKS + "import.hold-at-most=20s").run((context) -> {
			DistributedLocks locks = context.getBean(DistributedLocks.class);
			locks.get("import").lock();
			DistributedLock current = locks.current().orElseThrow();
			current.extend(Duration.ofMinutes(1));
			assertThat(current.isValid()).isTrue();
			current.unlock();
		});
	}

	@Test
	void aTimeOutOfRangeFailsTheStart() {
		for (String setting : List.of("lease-time=1ms", "hold-at-most=1ms", "hold-at-least=-1s", "wait-time=-1s")) {
			assertInvalid("nightly." + setting, "it must be at least");
		}
	}

	@Test
	void anEngineThatIsNotListedFailsTheStart() {
		assertInvalid("nightly.engine=etcd", "there is no lock engine of that name");
	}

	@Test
	void whatContradictsTheAnnotationFailsTheStart() {
		assertInvalid("nightly.hold-at-most=10ms", "the lock is held at least 50ms and at most 10ms");
		assertInvalid("brief.hold-at-least=2m", "the lock is held at least 2m and at most 1m");
	}

	private List<LockRequest> requests() throws InterruptedException {
		ArgumentCaptor<LockRequest> requests = ArgumentCaptor.captor();
		verify(this.engine, atLeast(0)).acquire(requests.capture(), any());
		return requests.getAllValues();
	}

	private void take(String name) throws InterruptedException {
		this.engine.acquire(new LockRequest(name, Duration.ofMinutes(1), false), Duration.ZERO);
	}

	private void assertInvalid(String property, String reason) {
		String name = LOCKS + property.substring(0, property.indexOf('='));
		this.runner.withPropertyValues(LOCKS + property)
			.run((context) -> assertThat(context).as(property)
				.getFailure()
				.hasStackTraceContaining("InvalidConfigurationException: " + name + " is '")
				.hasStackTraceContaining(reason));
	}

	@Test
	void propertiesThatNoLockReadsCauseAWarning(CapturedOutput output) {
		this.runner.withPropertyValues(LOCKS + "nightli.wait-time=1s", LOCKS + "nightly.fair=true")
			.run((context) -> assertThat(output).contains(WARNING + "[nightli]").contains("shop.Jobs.hourly"));
	}

	@Test
	void propertiesOfKnownLocksCauseNoWarning(CapturedOutput output) {
		this.runner
			.withPropertyValues(LOCKS + "order.wait-time=1s", "idempotent.lock.locks[shop.Jobs.hourly].fair=true")
			.run((context) -> assertThat(output).doesNotContain(WARNING));
	}

	static class Jobs {

		@DistributedLocked(name = "nightly", leaseTime = "20s", holdAtLeast = "50ms")
		void nightly() {
		}

		@DistributedLocked
		void hourly() {
		}

		@DistributedLocked(name = "patient", key = "#id", waitTime = "5m")
		void patient(int id) {
		}

		@DistributedLocked(name = "skipping", onNotObtained = WhenNotObtained.SKIP)
		void skipping() {
		}

		@DistributedLocked(name = "order", key = "#id")
		void order(int id) {
		}

		@DistributedLocked(name = "brief", holdAtMost = "1m")
		void brief() {
		}

	}

}
