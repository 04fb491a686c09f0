/**
 * The queue of the threads of one JVM that want the same lock. Not for users.
 */
@NullMarked
package io.idempotent.lock.internal.queue;

import org.jspecify.annotations.NullMarked;
