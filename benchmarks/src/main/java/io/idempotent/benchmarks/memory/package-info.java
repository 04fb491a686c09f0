/**
 * What a record takes, and whether anything is left behind after an hour's load.
 */
@NullMarked
package io.idempotent.benchmarks.memory;

import org.jspecify.annotations.NullMarked;
