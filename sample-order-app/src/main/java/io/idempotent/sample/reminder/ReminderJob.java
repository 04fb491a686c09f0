package io.idempotent.sample.reminder;

import io.idempotent.lock.DistributedLocked;
import io.idempotent.lock.WhenNotObtained;

import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;

/**
 * Every node has its turn at this job; the lock lets one of them at a time do it, and all
 * of them together no more often than one alone would.
 */
@Component
class ReminderJob {

	private final ReminderService reminders;

	ReminderJob(ReminderService reminders) {
		this.reminders = reminders;
	}

	@Scheduled(fixedDelayString = "${shop.reminders.delay}")
	@DistributedLocked(name = "reminders", onNotObtained = WhenNotObtained.SKIP, holdAtLeast = "${shop.reminders.hold}")
	void sendDue() {
		this.reminders.sendDue();
	}

}
