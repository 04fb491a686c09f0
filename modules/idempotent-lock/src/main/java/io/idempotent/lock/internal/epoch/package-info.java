/**
 * The protocol by which nodes agree on an engine. Not for users.
 */
@NullMarked
package io.idempotent.lock.internal.epoch;

import org.jspecify.annotations.NullMarked;
