package io.idempotent.lock.zookeeper.autoconfigure;

import io.idempotent.boot.lock.LockAutoConfiguration;
import io.idempotent.boot.settings.InvalidConfigurationException;
import io.idempotent.lock.DistributedLock;
import io.idempotent.lock.DistributedLocks;
import io.idempotent.lock.engine.LockEngine;
import io.idempotent.support.StartUpException;
import io.idempotent.testing.TestZooKeeper;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.framework.imps.CuratorFrameworkState;
import org.apache.curator.retry.RetryOneTime;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.mockito.Mockito;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;

class ZooKeeperLockAutoConfigurationTests {

	private final ApplicationContextRunner unnamed = new ApplicationContextRunner().withConfiguration(AutoConfigurations
		.of(AopAutoConfiguration.class, ZooKeeperLockAutoConfiguration.class, LockAutoConfiguration.class));

	private final ApplicationContextRunner runner = this.unnamed
		.withPropertyValues("idempotent.lock.engines=zookeeper");

	@Test
	void locksNeedTheAddressOfZooKeeperAlone() {
		try (TestZooKeeper server = TestZooKeeper.start()) {
			this.runner
				.withPropertyValues("idempotent.lock.zookeeper.connect-string=" + server.connectString(),
						"idempotent.lock.zookeeper.auth=shop:secret")
				.run((context) -> assertTakenAndGivenBack(context.getBean(DistributedLocks.class)));
		}
	}

	@Test
	void locksUseTheClientOfTheApplication() throws Exception {
		try (TestZooKeeper server = TestZooKeeper.start();
				CuratorFramework client = CuratorFrameworkFactory.newClient(server.connectString(),
						new RetryOneTime(100))) {
			client.start();
			client.blockUntilConnected();
			this.runner
				.withBean(CuratorFramework.class, () -> client, (definition) -> definition.setDestroyMethodName(""))
				.run((context) -> assertTakenAndGivenBack(context.getBean(DistributedLocks.class)));
			assertThat(client.getState()).isEqualTo(CuratorFrameworkState.STARTED);
			assertThat(client.checkExists().forPath("/idempotent/locks")).isNotNull();
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "auth=shop:secret", "connect-string=" })
	void withoutAnAddressOrAClientTheStartFails(String property) {
		this.runner.withPropertyValues("idempotent.lock.zookeeper." + property)
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.isInstanceOfSatisfying(StartUpException.class, (ex) -> {
					assertThat(ex)
						.hasMessageStartingWith("The lock engine 'zookeeper' is selected, but there is neither "
								+ "idempotent.lock.zookeeper.connect-string nor a CuratorFramework bean");
					assertThat(ex.action()).contains("Set idempotent.lock.zookeeper.connect-string",
							"define a CuratorFramework bean", "remove 'zookeeper' from idempotent.lock.engines");
				}));
	}

	@Test
	void aUserWithoutAPasswordFailsTheStartAndIsNotShown() {
		this.runner.withPropertyValues("idempotent.lock.zookeeper.auth=secret")
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.isInstanceOf(InvalidConfigurationException.class)
				.hasMessageContaining("idempotent.lock.zookeeper.auth")
				.hasMessageNotContaining("secret"));
	}

	@Test
	void anEngineThatIsNotNamedConnectsToNothing() {
		this.unnamed
			.withPropertyValues("idempotent.lock.engines=local", "idempotent.lock.zookeeper.connect-string=nowhere:1")
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean("io.idempotent.zookeeperLockEngine"));
	}

	@Test
	void anEngineOfTheApplicationsOwnComesFirst() {
		LockEngine own = Mockito.mock();
		Mockito.when(own.name()).thenReturn("zookeeper");
		this.runner.withBean("io.idempotent.zookeeperLockEngine", LockEngine.class, () -> own)
			.run((context) -> assertThat(context).getBean(LockEngine.class).isSameAs(own));
	}

	private static void assertTakenAndGivenBack(DistributedLocks locks) {
		assertThat(locks.engineInForce()).isEqualTo("zookeeper");
		DistributedLock lock = locks.get("a");
		assertThat(lock.tryLock()).isTrue();
		assertThat(lock.fencingToken()).isPositive();
		lock.unlock();
	}

}
