/**
 * Locks: free, contended by threads and by two JVMs, and with thousands of waiters.
 */
@NullMarked
package io.idempotent.benchmarks.lock;

import org.jspecify.annotations.NullMarked;
