package io.idempotent.sample.reminder;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Objects;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.data.domain.Limit;
import org.springframework.stereotype.Service;

@Service
class ReminderService {

	private static final Logger logger = LoggerFactory.getLogger(ReminderService.class);

	private static final Limit BATCH = Limit.of(20);

	private final ReminderRepository reminders;

	private final SentMessageRepository messages;

	ReminderService(ReminderRepository reminders, SentMessageRepository messages) {
		this.reminders = reminders;
		this.messages = messages;
	}

	ReminderStatus add(NewReminder reminder) {
		Instant at = reminder.at().truncatedTo(ChronoUnit.MILLIS);
		return statusOf(this.reminders.save(new Reminder(null, reminder.phone(), reminder.text(), at, null)));
	}

	ReminderStatus status(long id) {
		return statusOf(this.reminders.findById(id).orElseThrow(() -> new UnknownReminderException(id)));
	}

	/**
	 * Sends the reminders that are due for the longest time. Must not run concurrently,
	 * or both runs send the same reminders. There is no transaction, because a sent
	 * message cannot be rolled back: a crash between sending and recording sends one
	 * reminder again.
	 */
	void sendDue() {
		Instant now = Instant.now();
		for (Reminder reminder : this.reminders.findBySentAtIsNullAndDueAtLessThanEqualOrderByDueAtAscIdAsc(now,
				BATCH)) {
			send(idOf(reminder));
			this.reminders.save(reminder.sent(Instant.now()));
		}
	}

	/** Stands for the call to a provider of text messages. */
	private void send(long id) {
		this.messages.save(new SentMessage(null, id, Instant.now()));
		logger.info("Sent reminder {}", id);
	}

	private ReminderStatus statusOf(Reminder reminder) {
		long id = idOf(reminder);
		return new ReminderStatus(id, reminder.dueAt(), reminder.sentAt() != null, this.messages.countByReminderId(id));
	}

	private static long idOf(Reminder reminder) {
		return Objects.requireNonNull(reminder.id());
	}

}
