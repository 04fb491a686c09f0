/**
 * The state machine and the policies of operations.
 */
@NullMarked
package io.idempotent.engine;

import org.jspecify.annotations.NullMarked;
