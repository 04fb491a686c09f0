/**
 * Locks within one JVM, for tests and for applications of one node.
 */
@NullMarked
package io.idempotent.lock.local;

import org.jspecify.annotations.NullMarked;
