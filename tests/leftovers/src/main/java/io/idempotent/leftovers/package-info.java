/**
 * Finds what tests leave behind: threads, open ports and processes. Counts the
 * applications that they start.
 */
@NullMarked
package io.idempotent.leftovers;

import org.jspecify.annotations.NullMarked;
