/** A near cache of outcomes, with Caffeine. */
@NullMarked
package io.idempotent.store.cache;

import org.jspecify.annotations.NullMarked;
