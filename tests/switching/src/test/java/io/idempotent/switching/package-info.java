/**
 * Nodes switch lock engines together while they are killed, paused and cut off, and an
 * independent log shows who believed to hold which lock.
 */
@NullMarked
package io.idempotent.switching;

import org.jspecify.annotations.NullMarked;
