/**
 * Processes that die or stand still at the worst moments, and what becomes of their
 * operations.
 */
@NullMarked
package io.idempotent.crash;

import org.jspecify.annotations.NullMarked;
