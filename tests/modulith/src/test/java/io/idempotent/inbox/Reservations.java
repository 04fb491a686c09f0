package io.idempotent.inbox;

import java.util.List;

import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * What was published, and what has taken effect.
 *
 * @param database where it is
 */
record Reservations(JdbcClient database) {

	private static final String SCHEMA = """
			create table placed (id varchar(60) not null);
			create table reservation (placed varchar(60) not null)""";

	void create() {
		this.database.sql(SCHEMA).update();
	}

	void clear() {
		this.database.sql("truncate placed, reservation, event_publication").update();
	}

	int placedBy(String node) {
		return this.database.sql("select count(*) from placed where id like ?")
			.param(node + "%")
			.query(Integer.class)
			.single();
	}

	int all() {
		return count("select count(*) from reservation");
	}

	/**
	 * Orders without a reservation, or with more than they were placed.
	 */
	List<String> wrong() {
		return this.database
			.sql("""
					select coalesce(p.id, r.placed) || ': placed ' || coalesce(p.times, 0) || ', reserved ' || coalesce(r.times, 0)
					from (select id, count(*) as times from placed group by id) p
					full join (select placed, count(*) as times from reservation group by placed) r on r.placed = p.id
					where coalesce(p.times, 0) <> coalesce(r.times, 0) order by 1""")
			.query(String.class)
			.list();
	}

	int incomplete() {
		return count("select count(*) from event_publication where status <> 'COMPLETED'");
	}

	int deliveredAgain() {
		return count("select count(*) from event_publication where completion_attempts > 1");
	}

	private int count(String query) {
		return this.database.sql(query).query(Integer.class).single();
	}

}
