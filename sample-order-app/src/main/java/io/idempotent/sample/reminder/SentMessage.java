package io.idempotent.sample.reminder;

import java.time.Instant;

import org.jspecify.annotations.Nullable;

import org.springframework.data.annotation.Id;
import org.springframework.data.relational.core.mapping.Table;

/**
 * A message that went out.
 *
 * @param id given by the database
 * @param reminderId of which reminder
 * @param sentAt when
 */
@Table
record SentMessage(@Id @Nullable Long id, long reminderId, Instant sentAt) {
}
