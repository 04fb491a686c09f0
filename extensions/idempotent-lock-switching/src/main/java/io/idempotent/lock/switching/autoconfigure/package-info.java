/**
 * Auto-configuration of switching between lock engines.
 */
@NullMarked
package io.idempotent.lock.switching.autoconfigure;

import org.jspecify.annotations.NullMarked;
