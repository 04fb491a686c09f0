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
 * The lock is taken before a transaction of the method begins and given back after it has
 * ended. Entered with a transaction open, it is given back when that transaction has
 * completed, so that the next holder always sees what was committed. Token and lease are
 * at hand through {@link DistributedLocks#current()}.
 *
 * <p>
 * It acts on calls that go through the bean's proxy, not on calls from one method of an
 * object to another. A method that returns before its work is done, with a future or a
 * publisher, is refused at start-up: its lock would be given back too early.
 *
 * <p>
 * Every text may contain {@code ${placeholders}}; an empty one stands for what is
 * configured. Several annotations take several locks, in their order.
 */
@Target({ ElementType.METHOD, ElementType.ANNOTATION_TYPE })
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Inherited
@Repeatable(DistributedLocked.Several.class)
public @interface DistributedLocked {

	/**
	 * What the lock is called, without a key; the class and method by default. It is no
	 * expression: what varies from call to call is a {@link #key()}.
	 * @return the name
	 */
	String name() default "";

	/**
	 * SpEL over the arguments, evaluated once, before the method: each value makes a lock
	 * {@code name:value} of its own, and those of a collection or an array one each. All
	 * of them are taken or none. A value of up to 64 letters, digits and {@code . _ -}
	 * stands in the name of the lock as it is, any other as its SHA-256.
	 * @return the expressions; none for one lock without a key
	 */
	String[] key() default {};

	/**
	 * How long to wait for the lock at most, such as {@code 500ms}; zero asks once.
	 * {@code idempotent.lock.wait-time} by default, and zero for
	 * {@link WhenNotObtained#SKIP}.
	 * @return the time
	 */
	String waitTime() default "";

	/**
	 * How long the lock lives without renewal, such as {@code 30s}.
	 * {@code idempotent.lock.lease-time} by default.
	 * @return the time
	 */
	String leaseTime() default "";

	/**
	 * What happens to the lease while the method runs.
	 * @return the mode of renewal
	 */
	Renewal renewal() default Renewal.DEFAULT;

	/**
	 * The longest hold, for {@link Renewal#UP_TO_MAXIMUM}; with any other mode of renewal
	 * it is refused at start-up. {@code idempotent.lock.max-hold-time} by default.
	 * @return the time
	 */
	String maxHoldTime() default "";

	/**
	 * Whether waiting nodes take turns.
	 * @return whether it is fair
	 */
	boolean fair() default false;

	/**
	 * The engine, whichever is in use.
	 * @return its name
	 */
	String engine() default "";

	/**
	 * How long the lock stays taken at least, even if the method ends sooner: for
	 * scheduled jobs, longer than the clocks of two nodes may differ.
	 * @return the time
	 */
	String holdAtLeast() default "";

	/**
	 * Whether the thread is interrupted when the lock is lost while the method runs.
	 * @return whether it is interrupted
	 */
	boolean interruptOnLoss() default false;

	/**
	 * Whether the database refuses a holder that has lost the lock without knowing it:
	 * each transaction of the method on the guarded {@code DataSource} raises the fence
	 * of the lock when it begins, and one that comes with a former token is rolled back
	 * with a {@link LockLostException}. It needs {@code idempotent.guard.enabled} and a
	 * transaction that is not read-only; without one the method fails when it ends. Keep
	 * a fenced lock on one {@link #engine()}, since tokens of different engines do not
	 * compare.
	 * @return whether it is fenced
	 */
	boolean fenced() default false;

	/**
	 * What happens when the lock is not obtained in time.
	 * @return what happens
	 */
	WhenNotObtained onNotObtained() default WhenNotObtained.THROW;

	/**
	 * The type of the bean that answers in place of the method when the lock is not
	 * obtained in time; it wins over {@link #onNotObtained()}.
	 * @return the type; the interface itself for none
	 */
	Class<? extends LockNotObtainedHandler> handler() default LockNotObtainedHandler.class;

	/**
	 * Holds the annotations of a method that carries several.
	 */
	@Target({ ElementType.METHOD, ElementType.ANNOTATION_TYPE })
	@Retention(RetentionPolicy.RUNTIME)
	@Documented
	@Inherited
	@interface Several {

		/**
		 * The annotations.
		 * @return the annotations
		 */
		DistributedLocked[] value();

	}

}
