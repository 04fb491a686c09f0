/**
 * Subscriptions, which take effect in three steps at two companies.
 */
@NullMarked
package io.idempotent.sample.subscription;

import org.jspecify.annotations.NullMarked;
