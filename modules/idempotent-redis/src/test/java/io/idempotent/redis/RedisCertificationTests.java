package io.idempotent.redis;

import java.util.List;

import io.idempotent.embedded.EmbeddedRedis;
import io.idempotent.testing.RedisAcl;
import io.idempotent.testing.RedisCluster;
import io.idempotent.testing.RedisTalk;
import io.idempotent.testing.RedisUnderTest;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;
import org.junit.platform.launcher.listeners.TestExecutionSummary;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Runs a part of the contract on a server that {@code -Didempotent.test.redis} names.
 */
@ExtendWith(OutputCaptureExtension.class)
@Tag("slow")
class RedisCertificationTests {

	private static final String PART = "io.idempotent.contract.store.IdempotencyStoreContract$Leases";

	@AfterEach
	void nameNoServer() {
		System.clearProperty(RedisUnderTest.PROPERTY);
	}

	@Test
	void onlyTheKeysOfTheRunAreDeleted(CapturedOutput output) {
		try (EmbeddedRedis server = EmbeddedRedis.start()) {
			RedisTalk.tell(server, "SET idem:other 1");
			assertThat(certify("redis://127.0.0.1:" + server.port()).getTotalFailureCount()).isZero();
			assertThat(RedisAcl.keys(server)).containsExactly("idem:other");
		}
		assertThat(output).contains("redis_version 7.0.15").containsPattern("[1-9][0-9]* deleted, 0 left\\R+CERTIFIED");
	}

	@Test
	void aClusterIsAddressedAsOne(CapturedOutput output) {
		try (RedisCluster cluster = RedisCluster.start()) {
			assertThat(certify("redis://" + cluster.addresses().get(0)).getTotalFailureCount()).isZero();
			// Replicas follow their masters a little later.
			await().untilAsserted(
					() -> assertThat(cluster.servers()).allMatch((server) -> RedisAcl.keys(server).isEmpty()));
		}
		assertThat(output).contains("redis_mode cluster").containsPattern("[1-9][0-9]* deleted, 0 left\\R+CERTIFIED");
	}

	@Test
	void aServerWithoutACommandFails(CapturedOutput output) {
		try (EmbeddedRedis server = EmbeddedRedis.start("--rename-command", "SETRANGE", "")) {
			assertThat(certify("redis://127.0.0.1:" + server.port()).getTestsFailedCount()).isPositive();
		}
		assertThat(output).contains("NOT CERTIFIED");
	}

	@Test
	void aUserWithoutAPermissionFails(CapturedOutput output) {
		try (EmbeddedRedis server = EmbeddedRedis.start()) {
			new RedisAcl(List.of("on", ">a:b@c", "~*", "&*", "+@all", "-setrange")).set(server);
			assertThat(certify("redis://shop:a%3Ab%40c@127.0.0.1:" + server.port()).getTestsFailedCount()).isPositive();
		}
		assertThat(output).contains("NOT CERTIFIED");
	}

	@Test
	void aServerThatIsAwayIsNamedWithoutItsPassword(CapturedOutput output) {
		EmbeddedRedis server = EmbeddedRedis.start();
		server.close();
		TestExecutionSummary summary = certify("redis://shop:hidden@127.0.0.1:" + server.port());
		assertThat(summary.getFailures()).singleElement()
			.satisfies((failure) -> assertThat(failure.getException())
				.hasMessageContaining("127.0.0.1:" + server.port() + "/0")
				.hasMessageContaining("does not answer"));
		assertThat(output).contains("NOT CERTIFIED").doesNotContain("hidden");
	}

	private static TestExecutionSummary certify(String server) {
		System.setProperty(RedisUnderTest.PROPERTY, server);
		SummaryGeneratingListener results = new SummaryGeneratingListener();
		LauncherDiscoveryRequest part = LauncherDiscoveryRequestBuilder.request()
			.selectors(DiscoverySelectors.selectNestedClass(List.of(RedisIdempotencyStoreTests.class.getName()), PART))
			.build();
		LauncherFactory.create().execute(part, results);
		return results.getSummary();
	}

}
