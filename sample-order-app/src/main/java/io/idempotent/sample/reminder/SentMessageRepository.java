package io.idempotent.sample.reminder;

import org.springframework.data.repository.Repository;

interface SentMessageRepository extends Repository<SentMessage, Long> {

	SentMessage save(SentMessage message);

	int countByReminderId(long reminderId);

}
