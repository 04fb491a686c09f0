package io.idempotent.lock;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Repeatable;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Runs a bean method under a {@link DistributedLock}: on one node and one thread at a
 * time.
 *
 * <p>
 * The lock is acquired before a transaction of the method starts, and released after that
 * transaction has ended. If a transaction is open when the method is called, the lock is
 * released when that transaction has completed. So the next holder always sees the
 * committed changes. {@link DistributedLocks#current()} gives access to token and lease.
 *
 * <p>
 * Only calls through the proxy of the bean are locked, not calls from one method of an
 * object to another. A method that returns before its work is done, with a future or a
 * publisher, is refused at start-up: its lock would be released too early.
 *
 * <p>
 * Every text may contain {@code ${placeholders}}; an empty text means the configured
 * value. Durations are written as {@code 500ms}, {@code 30s}, {@code 1h30m} or in
 * ISO-8601 form. Several annotations acquire several locks, in their order.
 */
@Target({ ElementType.METHOD, ElementType.ANNOTATION_TYPE })
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Inherited
@Repeatable(DistributedLocked.Several.class)
public @interface DistributedLocked {

	/**
	 * The name of the lock, without a key; class and method by default. It is taken
	 * literally. The part before the first colon is the group of the lock, by which
	 * events are counted.
	 */
	String name() default "";

	/**
	 * SpEL expressions over the arguments, evaluated once before the method; none for one
	 * lock without a key. Each value, and each element of a collection or an array, has
	 * its own lock {@code name:value}. All of them are acquired or none. A value of up to
	 * 64 letters, digits and {@code . _ -} is part of the name unchanged, any other value
	 * as its SHA-256 digest.
	 */
	String[] key() default {};

	/**
	 * A SpEL expression over the arguments, evaluated once before the method: the
	 * annotation applies only to calls for which it yields {@code true}. <b>Any other
	 * call runs without the lock</b>, at the same time as a call that holds it; it is
	 * neither skipped nor fenced. Empty for all calls.
	 */
	String condition() default "";

	/**
	 * How long to wait for the lock, such as {@code 500ms}; zero means one attempt.
	 * {@code idempotent.lock.wait-time} by default, and zero for
	 * {@link WhenNotObtained#SKIP}.
	 */
	String waitTime() default "";

	/**
	 * How long the lock lives without renewal, such as {@code 30s}.
	 * {@code idempotent.lock.lease-time} by default. It is renewed while the method runs,
	 * at most for {@link #holdAtMost()}.
	 */
	String leaseTime() default "";

	/**
	 * Whether the method only reads, so that any number of calls with this mode may run
	 * at the same time, on all nodes, but never together with one that writes. An engine
	 * without shared locks fails the start.
	 */
	LockMode mode() default LockMode.WRITE;

	/** Whether waiting nodes get the lock in turn. */
	boolean fair() default false;

	/** The engine to use instead of the engine in force. */
	String engine() default "";

	/**
	 * How long the lock stays locked at least, even if the method returns sooner. For
	 * scheduled jobs, choose more than the clocks of two nodes may differ.
	 */
	String holdAtLeast() default "";

	/**
	 * How long the lock is held at most, such as {@code 10m}, even if the method runs
	 * longer: the lease is renewed up to this time, then the lock is lost. No limit by
	 * default. {@link DistributedLock#extend} moves the end. If it is shorter than
	 * {@link #holdAtLeast()}, it is refused at start-up.
	 */
	String holdAtMost() default "";

	/** Whether the thread is interrupted when the lock is lost while the method runs. */
	boolean interruptOnLoss() default false;

	/**
	 * Whether the database refuses the commit of a holder that has lost the lock without
	 * noticing. Each transaction of the method on the guarded {@code DataSource} raises
	 * the fence of the lock when it starts; a transaction with a former token is rolled
	 * back with a {@link LockLostException}. This needs {@code idempotent.guard.enabled}
	 * and a transaction that is not read-only; without one the method fails when it
	 * returns. Where all nodes switch between engines together, tokens grow across a
	 * switch too; otherwise keep a fenced lock on one {@link #engine()}, since tokens of
	 * different engines cannot be compared.
	 */
	boolean fenced() default false;

	/** What happens when the lock is not obtained in time. */
	WhenNotObtained onNotObtained() default WhenNotObtained.THROW;

	/**
	 * The type of the bean that is called instead of the method if the lock is not
	 * obtained in time; it takes precedence over {@link #onNotObtained()}. The interface
	 * itself means no handler.
	 */
	Class<? extends LockNotObtainedHandler> handler() default LockNotObtainedHandler.class;

	/** Holds the annotations of a method that carries several. */
	@Target({ ElementType.METHOD, ElementType.ANNOTATION_TYPE })
	@Retention(RetentionPolicy.RUNTIME)
	@Documented
	@Inherited
	@interface Several {

		/** The annotations. */
		DistributedLocked[] value();

	}

}
