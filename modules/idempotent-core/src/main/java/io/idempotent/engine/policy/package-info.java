/**
 * How operations are treated: what annotations declare, and what properties and defaults
 * make of it.
 */
@NullMarked
package io.idempotent.engine.policy;

import org.jspecify.annotations.NullMarked;
