/**
 * Locks that a majority of independent Redis servers grants.
 */
@NullMarked
package io.idempotent.lock.quorum;

import org.jspecify.annotations.NullMarked;
