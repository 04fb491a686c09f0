package io.idempotent.sample.reminder;

import java.time.Instant;
import java.util.List;

import org.springframework.data.domain.Limit;
import org.springframework.data.repository.CrudRepository;

interface ReminderRepository extends CrudRepository<Reminder, Long> {

	List<Reminder> findBySentAtIsNullAndDueAtLessThanEqualOrderByDueAtAscIdAsc(Instant now, Limit limit);

}
