/**
 * An application whose modules talk by events, and what may happen to it.
 */
@NullMarked
package io.idempotent.inbox;

import org.jspecify.annotations.NullMarked;
