/**
 * The response of an operation: held back until the outcome is recorded, stored, and
 * replayed. Start with {@link io.idempotent.webmvc.internal.response.DeferredResponse}.
 */
@NullMarked
package io.idempotent.webmvc.internal.response;

import org.jspecify.annotations.NullMarked;
