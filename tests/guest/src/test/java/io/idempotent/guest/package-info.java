/**
 * Applications of many kinds, with the starter and without it.
 */
@NullMarked
package io.idempotent.guest;

import org.jspecify.annotations.NullMarked;
