/**
 * A payment provider, as another company runs it.
 */
@NullMarked
package io.idempotent.sample.provider;

import org.jspecify.annotations.NullMarked;
