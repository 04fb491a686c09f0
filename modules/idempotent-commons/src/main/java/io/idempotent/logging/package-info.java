/**
 * Shared by logs and exceptions: durations as Spring Boot writes them, and one line for
 * an outage instead of one for each failure. Internal, and public only because several
 * packages share it.
 */
@NullMarked
package io.idempotent.logging;

import org.jspecify.annotations.NullMarked;
