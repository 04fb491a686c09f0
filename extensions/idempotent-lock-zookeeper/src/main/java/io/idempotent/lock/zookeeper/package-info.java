/** Locks in ZooKeeper, which end with the session of their holder. */
@NullMarked
package io.idempotent.lock.zookeeper;

import org.jspecify.annotations.NullMarked;
