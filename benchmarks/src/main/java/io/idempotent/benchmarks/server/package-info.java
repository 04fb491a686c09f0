/**
 * The servers that contenders meet, and the clients that they share.
 */
@NullMarked
package io.idempotent.benchmarks.server;

import org.jspecify.annotations.NullMarked;
