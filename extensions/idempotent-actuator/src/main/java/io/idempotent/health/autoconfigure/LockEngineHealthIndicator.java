package io.idempotent.health.autoconfigure;

import java.time.Duration;
import java.util.function.Supplier;

import io.idempotent.lock.DistributedLocks;
import io.idempotent.lock.EngineStatus;
import io.idempotent.lock.LockEvent;
import io.idempotent.lock.LockListener;
import io.idempotent.lock.internal.EngineDistributedLocks;

import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;

/**
 * Checks by a probe lock whether the engine in force grants locks. Does so only after a
 * lock was requested on this node, so that health never connects to an unused server.
 */
final class LockEngineHealthIndicator extends AbstractHealthIndicator implements LockListener {

	/** How long the lock lives if its release is lost. */
	private static final Duration LEASE = Duration.ofSeconds(5);

	/** Its locks exist only within transactions of the application. */
	private static final String TRANSACTION_ENGINE = "jdbc-transaction";

	private final Supplier<DistributedLocks> locks;

	private final ProbeHealth probe;

	private volatile boolean used;

	LockEngineHealthIndicator(Supplier<DistributedLocks> locks) {
		this.locks = locks;
		this.probe = new ProbeHealth("idempotent-lock-engine-health",
				() -> ((EngineDistributedLocks) locks.get()).check(LEASE));
	}

	@Override
	public void onEvent(LockEvent event) {
		this.used = true;
	}

	@Override
	protected void doHealthCheck(Health.Builder builder) {
		DistributedLocks known = this.locks.get();
		addStatus(builder, known.engineStatus(), known.engines().size() > 1);
		if (!this.used) {
			builder.unknown()
				.withDetail("note", "No lock has been requested on this node yet: the engine is not asked");
		}
		else if (!(known instanceof EngineDistributedLocks) || known.currentEngine().equals(TRANSACTION_ENGINE)) {
			builder.unknown()
				.withDetail("note", "The engine cannot be asked outside of the application's transactions");
		}
		else {
			this.probe.check(builder, "Locks are not obtained on this node (503 lock-unavailable), and locks that it "
					+ "holds are lost when their lease ends");
		}
	}

	private static void addStatus(Health.Builder builder, EngineStatus status, boolean several) {
		builder.withDetail("engine", status.engine());
		if (several) {
			builder.withDetail("epoch", status.epoch());
		}
		String target = status.target();
		if (target != null) {
			builder.withDetail("switchingTo", target).withDetail("waitingFor", status.waitingFor());
		}
	}

}
