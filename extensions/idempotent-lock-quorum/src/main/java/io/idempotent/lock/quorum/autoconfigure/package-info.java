/**
 * Auto-configuration of the lock engine {@code quorum}.
 */
@NullMarked
package io.idempotent.lock.quorum.autoconfigure;

import org.jspecify.annotations.NullMarked;
