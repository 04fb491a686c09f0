package io.idempotent.programs;

import io.idempotent.store.IdempotencyStore;
import io.idempotent.store.StoreUnavailableException;
import org.aopalliance.intercept.MethodInterceptor;

import org.springframework.aop.framework.ProxyFactory;
import org.springframework.aop.support.AopUtils;

/**
 * A store that can be away.
 */
final class SwitchableStore {

	private final IdempotencyStore client;

	private volatile IdempotencyStore target;

	private volatile boolean away;

	SwitchableStore(IdempotencyStore target) {
		this.target = target;
		MethodInterceptor calls = (call) -> AopUtils.invokeJoinpointUsingReflection(target(), call.getMethod(),
				call.getArguments());
		this.client = (IdempotencyStore) new ProxyFactory(IdempotencyStore.class, calls)
			.getProxy(getClass().getClassLoader());
	}

	/** What nodes reach it with. */
	IdempotencyStore client() {
		return this.client;
	}

	void away(boolean now) {
		this.away = now;
	}

	/** From now on it is another one. */
	void become(IdempotencyStore other) {
		this.target = other;
	}

	private IdempotencyStore target() {
		if (this.away) {
			throw new StoreUnavailableException("planned", new IllegalStateException("planned"));
		}
		return this.target;
	}

}
