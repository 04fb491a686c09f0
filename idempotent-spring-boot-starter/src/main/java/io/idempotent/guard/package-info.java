/**
 * What lets the application's own database have the last word.
 */
@NullMarked
package io.idempotent.guard;

import org.jspecify.annotations.NullMarked;
