package io.idempotent.kafka;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * What has taken effect.
 *
 * @param database where it is
 */
record Bookings(JdbcClient database) {

	void clear() {
		this.database.sql("drop table if exists booking").update();
	}

	/**
	 * What was sent and not booked.
	 */
	List<String> missing() {
		Set<String> booked = new HashSet<>(this.database.sql("select payment from booking").query(String.class).list());
		return Messages.ids().stream().filter((id) -> !booked.contains(id)).toList();
	}

	/**
	 * What was booked more than once, and how often.
	 */
	Map<String, Integer> repeated() {
		return this.database.sql("select payment, count(*) from booking group by payment having count(*) > 1")
			.query((rows) -> {
				Map<String, Integer> repeated = new HashMap<>();
				while (rows.next()) {
					repeated.put(rows.getString(1), rows.getInt(2));
				}
				return repeated;
			});
	}

	int of(String consumer) {
		return this.database.sql("select count(*) from booking where consumer = ?")
			.param(consumer)
			.query(Integer.class)
			.single();
	}

}
