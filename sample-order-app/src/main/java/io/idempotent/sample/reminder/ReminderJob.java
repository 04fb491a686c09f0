package io.idempotent.sample.reminder;

import io.idempotent.lock.DistributedLocked;
import io.idempotent.lock.WhenNotObtained;

import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;

/**
 * Runs on every node. The lock lets one node at a time do the work, and all nodes
 * together do it no more often than a single one would.
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
