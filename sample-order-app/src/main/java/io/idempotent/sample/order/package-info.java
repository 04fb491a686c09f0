/**
 * Orders, identified by form tokens.
 */
@NullMarked
package io.idempotent.sample.order;

import org.jspecify.annotations.NullMarked;
