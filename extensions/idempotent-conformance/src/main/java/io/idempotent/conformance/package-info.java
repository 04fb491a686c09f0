/**
 * Black-box checks of operations with an {@code Idempotency-Key} header, over HTTP.
 */
@NullMarked
package io.idempotent.conformance;

import org.jspecify.annotations.NullMarked;
