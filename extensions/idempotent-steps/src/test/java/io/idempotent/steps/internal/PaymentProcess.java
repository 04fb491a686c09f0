package io.idempotent.steps.internal;

import java.util.List;
import java.util.UUID;

import javax.sql.DataSource;

import io.idempotent.steps.OperationSteps;
import io.idempotent.testing.JavaProcess;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * An operation of three steps, in a process of its own that ends at one of its points, or
 * in this one.
 *
 * @param database the address of the database
 * @param provider the address of the provider
 * @param item what is ordered
 * @param withKey whether the charge passes on its key
 */
record PaymentProcess(String database, String provider, String item, boolean withKey) {

	/** The exit status of a process that reached its point. */
	private static final int DIED = 86;

	/** The exit status of a process that reached its end. */
	private static final int DONE = 0;

	/**
	 * Runs the operation.
	 * @param arguments the components of this record, and the point
	 */
	public static void main(String[] arguments) {
		new PaymentProcess(arguments[0], arguments[1], arguments[2], Boolean.parseBoolean(arguments[3]))
			.run(Points.haltingAt(Integer.parseInt(arguments[4]), DIED));
	}

	/** Whether a process died at a point, counted from 1, and did not reach its end. */
	boolean dies(int point) {
		try (JavaProcess process = JavaProcess.start(PaymentProcess.class, List.of(this.database, this.provider,
				this.item, String.valueOf(this.withKey), String.valueOf(point)))) {
			assertThat(process.awaitEnd()).as(process::log).isIn(DIED, DONE);
			return process.awaitEnd() == DIED;
		}
	}

	/** Runs the operation in this process. */
	String run(Points points) {
		Points.Current current = new Points.Current();
		current.set(points);
		DataSource dataSource = new PointsDataSource(new DriverManagerDataSource(this.database), current);
		try (StepsNode node = new StepsNode(dataSource)) {
			return node.run(this.item, (steps) -> pay(steps, dataSource, points));
		}
	}

	private String pay(OperationSteps steps, DataSource dataSource, Points points) {
		String charge = steps.external("charge", String.class,
				(key) -> call(points, this.withKey ? key : UUID.randomUUID().toString(), "charge"));
		String order = steps.transactional("book", String.class, () -> {
			new JdbcTemplate(dataSource).update("insert into orders (item) values (?)", this.item);
			return "order for " + charge;
		});
		steps.external("mail", (key) -> call(points, key, "mail"));
		return order;
	}

	private String call(Points points, String key, String what) {
		points.reach();
		String result = ProviderServer.call(this.provider, key, what);
		points.reach();
		return result;
	}

}
