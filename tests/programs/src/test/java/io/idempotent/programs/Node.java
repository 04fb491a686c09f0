package io.idempotent.programs;

import java.util.List;
import java.util.function.Function;

import io.idempotent.IdempotencyContext;
import io.idempotent.IdempotencyTemplate;
import io.idempotent.lock.DistributedLock;
import io.idempotent.lock.DistributedLocks;
import io.idempotent.lock.LockTemplate;
import io.idempotent.lock.fence.FenceGuard;

import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.web.context.WebApplicationContext;

/**
 * One application: the public API of the library, and what a program needs of Spring.
 */
final class Node {

	private final ConfigurableApplicationContext context;

	private final CalledMethods methods;

	private final LockedMethods locked;

	private final IdempotencyTemplate template;

	private final LockTemplate lockTemplate;

	private final DistributedLocks locks;

	private final FenceGuard fences;

	private final HttpClientOfNode http;

	Node(ConfigurableApplicationContext context) {
		this.context = context;
		this.methods = context.getBean(CalledMethods.class);
		this.locked = context.getBean(LockedMethods.class);
		this.template = context.getBean(IdempotencyTemplate.class);
		this.lockTemplate = context.getBean(LockTemplate.class);
		this.locks = context.getBean(DistributedLocks.class);
		this.fences = context.getBean(FenceGuard.class);
		this.http = new HttpClientOfNode((WebApplicationContext) context);
	}

	PlatformTransactionManager manager(Manager manager) {
		return this.context.getBean(switch (manager) {
			case MAIN -> "main";
			case SAME -> "same";
			case OTHER -> "other";
		}, PlatformTransactionManager.class);
	}

	/**
	 * Calls an operation.
	 * @param entrance how
	 * @param key the key
	 * @param body what it does if it runs, given the operation key
	 * @return the answer; that of nothing where there is no result
	 */
	String call(Entrance entrance, String key, Function<String, String> body) {
		return (entrance == Entrance.HTTP) ? this.http.call(key, body)
				: call(entrance, key, () -> body.apply(operationKey()));
	}

	private String call(Entrance entrance, String key, Body body) {
		return switch (entrance) {
			case PLAIN -> this.methods.plain(key, body);
			case REQUIRED -> this.methods.required(key, body);
			case REQUIRES_NEW -> this.methods.requiresNew(key, body);
			case NESTED -> this.methods.nested(key, body);
			case SUPPORTS -> this.methods.supports(key, body);
			case NOT_SUPPORTED -> this.methods.notSupported(key, body);
			case MANDATORY -> this.methods.mandatory(key, body);
			case NEVER -> this.methods.never(key, body);
			case READ_ONLY -> this.methods.readOnly(key, body);
			case OTHER -> this.methods.other(key, body);
			case REJECTING -> this.methods.rejecting(key, body);
			case TEMPLATE -> this.template.execute(entrance.operation(), key, String.class, (context) -> body.run());
			case LISTENER -> {
				this.methods.listener(key, body);
				yield Expectation.NOTHING;
			}
			case LISTENER_REQUIRED -> {
				this.methods.listenerRequired(key, body);
				yield Expectation.NOTHING;
			}
			case HTTP -> throw new IllegalArgumentException("A request is sent");
		};
	}

	private String operationKey() {
		return this.template.current().map(IdempotencyContext::key).orElseThrow();
	}

	void lock(Statement.Lock lock, String key, Runnable body) {
		if (lock.annotated() && lock.fenced()) {
			this.locked.fenced(key, body);
		}
		else if (lock.annotated()) {
			this.locked.locked(key, body);
		}
		else if (lock.fenced()) {
			this.lockTemplate.executeWithoutResult(key,
					() -> this.fences.execute(List.of(this.locks.get(key)), () -> run(body)));
		}
		else {
			this.lockTemplate.executeWithoutResult(key, body::run);
		}
	}

	private static Boolean run(Runnable body) {
		body.run();
		return Boolean.TRUE;
	}

	/**
	 * Whether a lock of the template is free.
	 * @param key its name
	 * @return whether it was obtained, and given back
	 */
	boolean isFree(String key) {
		DistributedLock lock = this.locks.get(key);
		if (!lock.tryLock()) {
			return false;
		}
		boolean once = lock.holdCount() == 1;
		lock.unlock();
		return once;
	}

	void publish(Event event) {
		this.context.publishEvent(event);
	}

	void close() {
		this.context.close();
	}

}
