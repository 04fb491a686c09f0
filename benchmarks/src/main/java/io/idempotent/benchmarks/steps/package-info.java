/**
 * The cost of steps.
 */
@NullMarked
package io.idempotent.benchmarks.steps;

import org.jspecify.annotations.NullMarked;
