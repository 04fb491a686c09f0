/**
 * Reminders, sent by a job that runs on one node at a time.
 */
@NullMarked
package io.idempotent.sample.reminder;

import org.jspecify.annotations.NullMarked;
