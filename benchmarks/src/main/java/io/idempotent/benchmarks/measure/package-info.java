/**
 * Contests: contenders that take turns within one run.
 */
@NullMarked
package io.idempotent.benchmarks.measure;

import org.jspecify.annotations.NullMarked;
