/**
 * The events of Spring Modulith: their publications are keys.
 */
@NullMarked
package io.idempotent.modulith;

import org.jspecify.annotations.NullMarked;
