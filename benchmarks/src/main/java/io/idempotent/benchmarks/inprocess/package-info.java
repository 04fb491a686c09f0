/**
 * What a call costs in its own process, with the local store: nanoseconds and bytes, by
 * JMH.
 */
@NullMarked
package io.idempotent.benchmarks.inprocess;

import org.jspecify.annotations.NullMarked;
