package io.idempotent.boot;

import io.idempotent.IdempotencyTemplate;
import io.idempotent.lock.DistributedLocks;
import io.idempotent.lock.LockTemplate;
import io.idempotent.lock.fence.FenceGuard;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * An application that injects a bean of ours which is not there is told why.
 */
@ExtendWith(OutputCaptureExtension.class)
@Tag("slow")
class MissingBeanTests {

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			redison   | no bean of type LockEngine has that name     | Name redisson, zookeeper, jdbc
			JDBC      | no bean of type LockEngine has that name     | Name redisson, zookeeper, jdbc
			zookeeper | there is neither idempotent.lock.zookeeper   | Set idempotent.lock.zookeeper.connect-string
			""")
	void anEngineThatCannotBeCreatedIsReportedAsTheReason(String engine, String why, String action,
			CapturedOutput output) {
		StartUp.failure(InjectsLocks.class, "idempotent.lock.engines=" + engine);
		assertTold(output, DistributedLocks.class, "idempotent.lock.engines names '" + engine + "', but " + why,
				action);
	}

	@Test
	void aTemplateNeedsAnEngineAsWell(CapturedOutput output) {
		StartUp.failure(InjectsTemplate.class, "idempotent.lock.engines=redison");
		assertTold(output, LockTemplate.class, "idempotent.lock.engines names 'redison'", "Name redisson");
	}

	@ParameterizedTest
	@ValueSource(strings = { "idempotent.enabled", "idempotent.lock.enabled" })
	void aSwitchedOffFeatureIsReportedAsTheReason(String property, CapturedOutput output) {
		StartUp.failure(InjectsLocks.class, property + "=false");
		assertTold(output, DistributedLocks.class, property + " is false",
				"Set " + property + "=true, or inject an ObjectProvider<DistributedLocks>");
	}

	@Test
	void withoutTheLibraryThereIsNoTemplateForOperations(CapturedOutput output) {
		StartUp.failure(InjectsOperations.class, "idempotent.enabled=false");
		assertTold(output, IdempotencyTemplate.class, "idempotent.enabled is false", "ObjectProvider");
	}

	@Test
	void aFenceNeedsTheGuard(CapturedOutput output) {
		StartUp.failure(InjectsFence.class, "idempotent.lock.engines=local");
		assertTold(output, FenceGuard.class, "idempotent.guard.enabled is not set",
				"Set idempotent.guard.enabled=true");
	}

	@Test
	void beansOfTheApplicationAreLeftToSpringBoot(CapturedOutput output) {
		StartUp.failure(InjectsItsOwn.class, "idempotent.lock.engines=local");
		assertThat(output).contains("required a bean of type 'java.lang.Runnable' that could not be found");
	}

	private static void assertTold(CapturedOutput output, Class<?> type, String why, String action) {
		assertThat(output).contains("APPLICATION FAILED TO START")
			.contains("There is no bean of type " + type.getName() + ", which the bean 'needy' needs: " + why)
			.contains(action);
	}

	@Configuration(proxyBeanMethods = false)
	static class InjectsLocks {

		@Bean
		Object needy(DistributedLocks locks) {
			return locks;
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class InjectsTemplate {

		@Bean
		Object needy(LockTemplate template) {
			return template;
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class InjectsOperations {

		@Bean
		Object needy(IdempotencyTemplate template) {
			return template;
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class InjectsFence {

		@Bean
		Object needy(FenceGuard guard) {
			return guard;
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class InjectsItsOwn {

		@Bean
		Object needy(Runnable own) {
			return own;
		}

	}

}
