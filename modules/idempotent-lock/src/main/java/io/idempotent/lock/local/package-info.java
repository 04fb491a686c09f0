/** Locks within one JVM, for tests and for applications that run on one node. */
@NullMarked
package io.idempotent.lock.local;

import org.jspecify.annotations.NullMarked;
