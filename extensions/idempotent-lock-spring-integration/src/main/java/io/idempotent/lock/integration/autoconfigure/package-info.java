/**
 * Auto-configuration of the lock registry.
 */
@NullMarked
package io.idempotent.lock.integration.autoconfigure;

import org.jspecify.annotations.NullMarked;
