/**
 * Measures what it takes to let a form be submitted once.
 */
@NullMarked
package io.idempotent.benchmarks.token;

import org.jspecify.annotations.NullMarked;
