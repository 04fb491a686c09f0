/**
 * The state machine of an operation, and what decides how it is treated.
 */
@NullMarked
package io.idempotent.engine;

import org.jspecify.annotations.NullMarked;
