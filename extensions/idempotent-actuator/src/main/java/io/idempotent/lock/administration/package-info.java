/** Lets operators inspect locks and change their state. */
@NullMarked
package io.idempotent.lock.administration;

import org.jspecify.annotations.NullMarked;
