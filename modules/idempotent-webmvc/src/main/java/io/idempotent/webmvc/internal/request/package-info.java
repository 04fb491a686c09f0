/**
 * The content of a request: read for the fingerprint as the handler method will read it,
 * and readable again.
 */
@NullMarked
package io.idempotent.webmvc.internal.request;

import org.jspecify.annotations.NullMarked;
