/**
 * Finds what tests leave behind: threads, open ports and processes.
 */
@NullMarked
package io.idempotent.leftovers;

import org.jspecify.annotations.NullMarked;
