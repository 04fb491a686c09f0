/** The store of one JVM, in memory, for tests and tools that run as a single node. */
@NullMarked
package io.idempotent.store.local;

import org.jspecify.annotations.NullMarked;
