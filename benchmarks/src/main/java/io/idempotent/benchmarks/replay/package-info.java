/**
 * Measures what it takes to run an operation once and to answer its duplicates.
 */
@NullMarked
package io.idempotent.benchmarks.replay;

import org.jspecify.annotations.NullMarked;
