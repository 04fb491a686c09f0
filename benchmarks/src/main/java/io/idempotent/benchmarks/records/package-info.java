/**
 * Stores on servers of their own, and the records that areas keep in them.
 */
@NullMarked
package io.idempotent.benchmarks.records;

import org.jspecify.annotations.NullMarked;
