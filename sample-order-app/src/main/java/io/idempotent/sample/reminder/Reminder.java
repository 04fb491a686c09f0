package io.idempotent.sample.reminder;

import java.time.Instant;

import org.jspecify.annotations.Nullable;

import org.springframework.data.annotation.Id;
import org.springframework.data.relational.core.mapping.Table;

/**
 * A reminder.
 *
 * @param id given by the database
 * @param phone where to
 * @param text of what
 * @param dueAt when it is to be sent
 * @param sentAt when it was sent, if it was
 */
@Table
record Reminder(@Id @Nullable Long id, String phone, String text, Instant dueAt, @Nullable Instant sentAt) {

	Reminder sent(Instant now) {
		return new Reminder(this.id, this.phone, this.text, this.dueAt, now);
	}

}
