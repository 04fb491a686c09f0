/**
 * Locks in ZooKeeper: they live as long as their holder's session.
 */
@NullMarked
package io.idempotent.lock.zookeeper;

import org.jspecify.annotations.NullMarked;
