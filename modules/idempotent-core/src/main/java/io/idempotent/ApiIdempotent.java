package io.idempotent;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Makes a Spring MVC handler method an <em>operation</em> that takes effect once, however
 * often its request is submitted.
 *
 * <p>
 * <strong>Promised:</strong> while the store keeps its records, a repeat or a concurrent
 * duplicate of a submission never runs the method again; a repeat gets the first answer,
 * byte for byte. <strong>With a {@link #receipt() receipt}:</strong> at most one effect
 * is committed in the guarded database, whatever happens to the process or the store.
 * <strong>Without one:</strong> if the process dies in the middle of the method, it is
 * unknown whether the effect took place; {@link #whenUnknown()} decides what the next
 * submission does.
 *
 * <p>
 * Every attribute that is not set takes its value from {@code idempotent.defaults.*}.
 * Text attributes accept <code>${…}</code> placeholders; every attribute can be set from
 * outside under {@code idempotent.operations[<name>].*}, which takes precedence. An
 * invalid attribute (an expression that does not parse, a time that is not positive, a
 * streaming return type) fails the start of the application.
 *
 * <p>
 * <strong>On a class</strong>, it applies to all handler methods of the controller, for
 * requests that may change something: a {@code GET}, {@code HEAD}, {@code OPTIONS} or
 * {@code TRACE} request runs as if the class were not annotated. The annotation of a
 * method replaces that of its class entirely. Annotations are found as
 * {@code @Transactional} is: a class inherits them from its superclasses and interfaces,
 * an overriding method from the method that it overrides, and the annotation of a class
 * does not apply to methods that a superclass declares.
 *
 * <p>
 * <strong>As a meta-annotation</strong>, it makes an annotation of your own, whose
 * attributes may override those of this one with
 * {@link org.springframework.core.annotation.AliasFor @AliasFor}.
 *
 * @see <a href=
 * "https://datatracker.ietf.org/doc/html/draft-ietf-httpapi-idempotency-key-header-07">The
 * Idempotency-Key header, draft 07</a>
 */
@Target({ ElementType.METHOD, ElementType.TYPE })
@Retention(RetentionPolicy.RUNTIME)
@Documented
public @interface ApiIdempotent {

	/**
	 * Where the key that names one operation comes from. A {@link #key()} implies
	 * {@link KeySource#CONTENT}.
	 */
	KeySource value() default KeySource.DEFAULT;

	/**
	 * A SpEL expression over the method's arguments, by name, whose value is the key:
	 * {@code "#order.userId + ':' + #order.sku"}. It is parsed once at start-up and
	 * evaluated read-only, once, before the method runs. A {@code null} or empty value is
	 * refused as a missing key. Without an expression {@link KeySource#CONTENT} uses the
	 * canonical content of the request.
	 */
	String key() default "";

	/**
	 * A SpEL expression over the method's arguments, by name, as a {@link #key()}: the
	 * annotation applies only to calls for which it yields {@code true}:
	 * {@code "#order.amount > 100"}. <b>Any other call runs unprotected</b>, as if the
	 * method were not annotated: it needs no key and leaves no record. The limits on the
	 * size of a request still apply, because the body is read first. An expression that
	 * yields neither {@code true} nor {@code false} fails the call, which does not run.
	 * @return the expression, or an empty string for all calls
	 */
	String condition() default "";

	/**
	 * Fields that are ignored when the content of two requests is compared: query
	 * parameters, form fields, parts of a multipart request, and members of a JSON body's
	 * outermost object, by their names. For values that change from one attempt to the
	 * next, such as a time stamp. The fields of the form token and of the CSRF token are
	 * always ignored. Without a key expression, the remaining content is also the key of
	 * {@link KeySource#CONTENT}.
	 * @return the names, or none for {@code idempotent.defaults.ignored-fields}
	 */
	String[] ignoredFields() default {};

	/**
	 * The only fields that are compared, instead of all but {@link #ignoredFields()}. The
	 * path is always compared, and so is a body without fields.
	 * @return the names, or none if all fields count
	 */
	String[] comparedFields() default {};

	/**
	 * The name of the operation in keys, properties, events and logs. By default the
	 * simple name of the class and the name of the method:
	 * {@code OrderController.create}. Methods with the same name would share their keys,
	 * so the name must be unique. A method that several controllers inherit is a separate
	 * operation for each. On a class, the name replaces the class's simple name.
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
	 */
	String waitTimeout() default "";

	/** What a duplicate of a finished operation gets. */
	WhenCompleted whenCompleted() default WhenCompleted.DEFAULT;

	/** What a duplicate of a running operation gets. */
	WhenInProgress whenInProgress() default WhenInProgress.DEFAULT;

	/**
	 * What a submission does if the owner of the operation has stopped renewing its
	 * claim.
	 */
	WhenUnknown whenUnknown() default WhenUnknown.DEFAULT;

	/** What happens to the claim when the method throws or answers 5xx. */
	WhenFailed whenFailed() default WhenFailed.DEFAULT;

	/**
	 * The errors that are recorded and replayed like a success, by their status:
	 * {@code 409}, {@code 4xx}, {@code 5xx}. A repeat then gets the first error again and
	 * the method is not run, until the retention ends. Any other error releases the key,
	 * or leaves the outcome unknown. Errors that occur before the method is called, such
	 * as a failed validation, are never recorded.
	 */
	String[] replayErrors() default {};

	/** What a submission does while the store cannot be reached. */
	WhenStoreFails whenStoreFails() default WhenStoreFails.DEFAULT;

	/**
	 * Whether what the method commits in the guarded database leaves a receipt, so that
	 * no second effect is ever committed.
	 */
	ReceiptMode receipt() default ReceiptMode.DEFAULT;

	/**
	 * The name of the {@link OutcomeRecoverer} bean that rebuilds the answer of an
	 * operation that took effect and whose answer was not stored.
	 */
	String recoverer() default "";

}
