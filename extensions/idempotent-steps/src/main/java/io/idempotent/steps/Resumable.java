package io.idempotent.steps;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * An {@link io.idempotent.Idempotent @Idempotent} method with {@link OperationSteps
 * steps} that is called again if it was interrupted or has failed, even if nobody repeats
 * it. Its arguments are stored as JSON when its first step begins. A background thread of
 * any node calls it with them after {@code idempotent.steps.resume.after}, and again
 * after twice that time and so on, at most {@code idempotent.steps.resume.max-attempts}
 * times. Then it is abandoned: an {@link OperationAbandonedEvent} is published, and an
 * operator may let it go on.
 *
 * <p>
 * <strong>Promised:</strong> one node at a time calls it, and its steps run as in any
 * other repeat. <strong>Not promised:</strong> anything for a call that has not reached
 * its first step. Each exception counts as a failure after which it is called again:
 * return a final refusal of another system as a result. The call has no security context,
 * request or trace of the first one.
 *
 * <p>
 * The start fails if the method is not {@code @Idempotent}, if a parameter cannot be
 * stored, or if there is not exactly one bean of its class.
 */
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@Documented
public @interface Resumable {

}
