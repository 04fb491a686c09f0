/**
 * Auto-configuration of the lock engine {@code zookeeper}.
 */
@NullMarked
package io.idempotent.lock.zookeeper.autoconfigure;

import org.jspecify.annotations.NullMarked;
