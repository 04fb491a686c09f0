/**
 * HTTP messages as they are written, and JSON texts: no API.
 */
@NullMarked
package io.idempotent.conformance.internal;

import org.jspecify.annotations.NullMarked;
