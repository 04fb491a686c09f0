/**
 * Switching between lock engines, which all nodes agree on.
 */
@NullMarked
package io.idempotent.lock.switching;

import org.jspecify.annotations.NullMarked;
