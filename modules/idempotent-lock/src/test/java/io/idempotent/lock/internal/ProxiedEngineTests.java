package io.idempotent.lock.internal;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import io.idempotent.lock.DistributedLock;
import io.idempotent.lock.LockOptions;
import io.idempotent.lock.engine.LockEngine;
import org.aopalliance.intercept.MethodInterceptor;
import org.junit.jupiter.api.Test;

import org.springframework.aop.framework.ProxyFactory;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * An engine that is a bean with advice.
 */
class ProxiedEngineTests {

	private final List<String> calls = new CopyOnWriteArrayList<>();

	private final LockEngine engine = proxy(FakeEngine.withLeases("fake"));

	private LockEngine proxy(LockEngine target) {
		ProxyFactory factory = new ProxyFactory(target);
		factory.addAdvice((MethodInterceptor) (call) -> {
			this.calls.add(call.getMethod().getName());
			return call.proceed();
		});
		return (LockEngine) factory.getProxy();
	}

	@Test
	void itStaysOpenWhenTheLocksAreClosed() {
		new TestLocks(this.engine).close();
		assertThat(this.calls).contains("observe").doesNotContain("close");
	}

	@Test
	void aLockThatNamesItIsTheSame() {
		try (TestLocks locks = new TestLocks(this.engine)) {
			DistributedLock named = locks.get("a", LockOptions.DEFAULTS.withEngine("fake"));
			named.lock();
			assertThat(this.calls).contains("acquire");
			assertThat(named.fenceName()).isEqualTo("a");
			named.unlock();
		}
	}

}
