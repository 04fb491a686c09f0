/**
 * A checkout that the server renders, without a script.
 */
@NullMarked
package io.idempotent.sample.checkout;

import org.jspecify.annotations.NullMarked;
