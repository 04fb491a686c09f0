package io.idempotent;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Makes a method of a bean an <em>operation</em> that takes effect once for each key,
 * however often it is called: a service, a scheduled job, a message listener.
 *
 * <p>
 * <strong>Promised:</strong> while the store keeps its records, a repeat or a concurrent
 * duplicate of a call never runs the method again. A repeat returns what the first call
 * returned, restored from JSON as the declared type: an equal value, not the same object.
 * <strong>With a {@link #receipt() receipt}:</strong> at most one effect is committed in
 * the guarded database, whatever happens to the process or the store; and where the
 * method itself is transactional, its result is committed with the effect and replayed.
 * <strong>Without one:</strong> {@link #whenUnknown()} decides what comes after a crash.
 * An exception is not recorded as an answer: the next call runs, or as
 * {@link #whenFailed()} says. Arguments that are not part of the key are not compared,
 * unless {@link #compare()} names them or the client of a request sent the key.
 *
 * <p>
 * A call that does not run and has no stored result throws a
 * {@link SubmissionRefusedException}. A <em>message listener</em> (a method that carries
 * {@code @KafkaListener}, {@code @RabbitListener}, {@code @JmsListener} or anything else
 * that is a {@code @MessageMapping}, or {@code @ApplicationModuleListener} or another
 * {@code @TransactionalEventListener}) is different in two ways. Duplicates of processed
 * messages are acknowledged: the method is not run, and the call returns normally,
 * whatever {@link #whenCompleted()} says. Duplicates of messages in progress must not be
 * acknowledged: by default, they wait until the lease of a dead owner would have expired,
 * and only then throw, so that the broker redelivers them.
 *
 * <p>
 * Called inside an open transaction, the operation is recorded when that transaction has
 * completed, and a rollback counts as a failure. Within one run the method may call
 * itself with the same key: that call belongs to the run, unless it is compared and
 * differs. Only calls through the bean are intercepted, not those of an object to itself;
 * the method must not return before its work is done.
 *
 * <p>
 * Every attribute that is not set takes its value from {@code idempotent.defaults.*}.
 * Text attributes accept <code>${…}</code> placeholders; every attribute but the key, the
 * condition and the name can be set from outside under
 * {@code idempotent.operations[<name>].*}, which takes precedence. An invalid attribute
 * fails the start of the application.
 *
 * <p>
 * <strong>On a class</strong>, it applies to all methods that the class declares and that
 * are not private, and the key must be valid for each of them. The annotation of a method
 * replaces that of its class entirely. Annotations are found as {@code @Transactional}
 * is: a class inherits them from its superclasses and interfaces, an overriding method
 * from the method that it overrides, and the annotation of a class does not apply to
 * methods that a superclass declares. <strong>As a meta-annotation</strong>, it makes an
 * annotation of your own, whose attributes may override those of this one with
 * {@link org.springframework.core.annotation.AliasFor @AliasFor}.
 */
@Target({ ElementType.METHOD, ElementType.TYPE })
@Retention(RetentionPolicy.RUNTIME)
@Documented
public @interface Idempotent {

	/**
	 * A SpEL expression over the method's arguments, by name, whose value is the key:
	 * {@code "#order.id"}. It is parsed once at start-up and evaluated read-only, once
	 * for each call. A text, a number or another simple value counts as its text; a map,
	 * a list or any other object as its canonical JSON. A {@code null} or empty value is
	 * refused as a missing key.
	 *
	 * <p>
	 * Without an expression the key is the identity of the message that a listener takes,
	 * or what the client of a request sent as the key, see
	 * {@link io.idempotent.method.MessageIdentity}. A call without one is refused as a
	 * missing key, and a method that can never have one fails the start.
	 */
	String key() default "";

	/**
	 * A SpEL expression over the method's arguments, by name, as a {@link #key()}, whose
	 * value a repeat must have in common with the first call: {@code "{#order.amount,
	 * #order.currency}"}. A call with the same key and another value is refused as
	 * {@link Refusal#KEY_REUSED}, as long as the first call runs or is remembered, and
	 * also within its run. Only a digest of the value is stored. A call that a version of
	 * the application without this attribute has recorded is not compared, and the
	 * reverse. An expression that fails, fails the call, which does not run.
	 * @return the expression, or an empty string if only the key is compared
	 */
	String compare() default "";

	/**
	 * A SpEL expression over the method's arguments, by name, as a {@link #key()}: the
	 * annotation applies only to calls for which it yields {@code true}:
	 * {@code "#order.amount > 100"}. <b>Any other call runs unprotected</b>, as if the
	 * method were not annotated: it needs no key and leaves no record. An expression that
	 * yields neither {@code true} nor {@code false} fails the call, which does not run.
	 * @return the expression, or an empty string for all calls
	 */
	String condition() default "";

	/**
	 * The name of the operation in keys, properties, events and logs; by default the
	 * simple name of the bean's class and the name of the method:
	 * {@code PaymentService.charge}. The name must be unique. On a class, the name takes
	 * the place of the class's simple name.
	 */
	String name() default "";

	/**
	 * The message to the user about a repeated submission: the detail of the refusals
	 * {@link Refusal#DUPLICATE} and {@link Refusal#IN_PROGRESS}. Either the text itself,
	 * or the code of a message of the application's {@code MessageSource} in braces, as
	 * in Bean Validation: {@code "{order.repeated}"}. It is a text, never an expression;
	 * a page shows it escaped.
	 * @return the text or the code in braces, or an empty string for the default text
	 */
	String message() default "";

	/**
	 * How long a claim lives without renewal, as {@code 30s} or {@code PT30S}. A running
	 * operation renews its claim; the lease only decides how soon a crash is noticed.
	 */
	String lease() default "";

	/** How long a finished operation is retained, as {@code 24h} or {@code PT24H}. */
	String retention() default "";

	/**
	 * How long {@link WhenInProgress#WAIT} waits at most, as {@code 5s} or {@code PT5S}.
	 * For a message listener the default is the sum of the lease and
	 * {@code idempotent.defaults.wait-timeout}.
	 */
	String waitTimeout() default "";

	/**
	 * What a duplicate of a finished operation gets. A message listener acknowledges it
	 * in any case. With {@link WhenCompleted#BURN} this includes a duplicate whose first
	 * delivery is still being processed, so that a message may be lost in a crash.
	 */
	WhenCompleted whenCompleted() default WhenCompleted.DEFAULT;

	/**
	 * What a duplicate of a running operation gets. For a message listener the default is
	 * {@link WhenInProgress#WAIT}, whatever the properties say about other operations.
	 */
	WhenInProgress whenInProgress() default WhenInProgress.DEFAULT;

	/** What a call does if the owner of the operation has stopped renewing its claim. */
	WhenUnknown whenUnknown() default WhenUnknown.DEFAULT;

	/**
	 * What happens to the claim when the method throws, or when the transaction around it
	 * is rolled back.
	 */
	WhenFailed whenFailed() default WhenFailed.DEFAULT;

	/** What a call does while the store cannot be reached. */
	WhenStoreFails whenStoreFails() default WhenStoreFails.DEFAULT;

	/**
	 * Whether what the method commits in the guarded database leaves a receipt, so that
	 * no second effect is ever committed.
	 */
	ReceiptMode receipt() default ReceiptMode.DEFAULT;

	/**
	 * The name of the {@link OutcomeRecoverer} bean that rebuilds the result of an
	 * operation that took effect and whose result was not stored.
	 */
	String recoverer() default "";

}
