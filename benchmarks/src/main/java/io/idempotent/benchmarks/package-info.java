/**
 * Measures every path against the raw client and against what a user would pick instead.
 */
@NullMarked
package io.idempotent.benchmarks;

import org.jspecify.annotations.NullMarked;
