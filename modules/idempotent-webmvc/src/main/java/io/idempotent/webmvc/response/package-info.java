/**
 * The response of an idempotent operation: held back until the outcome is recorded,
 * stored, and replayed. Internal to this module; start with
 * {@link io.idempotent.webmvc.response.DeferredResponse}.
 */
@NullMarked
package io.idempotent.webmvc.response;

import org.jspecify.annotations.NullMarked;
