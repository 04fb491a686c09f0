/**
 * A simulation of many nodes, with service times that are measured.
 */
@NullMarked
package io.idempotent.benchmarks.simulation;

import org.jspecify.annotations.NullMarked;
