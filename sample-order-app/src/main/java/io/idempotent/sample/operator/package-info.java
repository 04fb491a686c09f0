/**
 * Operators of the shop.
 */
@NullMarked
package io.idempotent.sample.operator;

import org.jspecify.annotations.NullMarked;
