package io.idempotent.lock.switching.autoconfigure;

import io.idempotent.lock.DistributedLocks;
import io.idempotent.test.AutoConfigureIdempotency;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.context.annotation.Configuration;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The locks in a test of an application whose nodes switch between engines.
 */
@SpringBootTest(webEnvironment = WebEnvironment.NONE,
		args = { "--idempotent.lock.switching.enabled=true", "--idempotent.lock.switching.automatic=true" })
@AutoConfigureIdempotency
class LocksOfATestTests {

	@Test
	void aTestDoesNotSwitchEngines(@Autowired DistributedLocks locks) {
		assertThat(locks.engines()).containsExactly("local");
	}

	@Configuration(proxyBeanMethods = false)
	static class Application {

	}

}
