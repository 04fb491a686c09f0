/**
 * What a user writes against for locks.
 */
@NullMarked
package io.idempotent.lock;

import org.jspecify.annotations.NullMarked;
