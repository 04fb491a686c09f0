package io.idempotent.steps.internal;

import java.io.IOException;
import java.nio.file.Path;
import java.util.UUID;
import java.util.concurrent.TimeUnit;

import javax.sql.DataSource;

import io.idempotent.steps.OperationSteps;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

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
	static final int DIED = 86;

	/** The exit status of a process that reached its end. */
	static final int DONE = 0;

	/**
	 * Runs the operation.
	 * @param arguments the components of this record, and the point
	 */
	public static void main(String[] arguments) {
		new PaymentProcess(arguments[0], arguments[1], arguments[2], Boolean.parseBoolean(arguments[3]))
			.run(Points.haltingAt(Integer.parseInt(arguments[4]), DIED));
	}

	/** Returns the exit status of a process that dies at a point, counted from 1. */
	int die(int point, Path log) throws IOException, InterruptedException {
		Process process = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
				"-Xmx64m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-cp", System.getProperty("java.class.path"),
				PaymentProcess.class.getName(), this.database, this.provider, this.item, String.valueOf(this.withKey),
				String.valueOf(point))
			.redirectErrorStream(true)
			.redirectOutput(log.toFile())
			.start();
		try {
			process.waitFor(1, TimeUnit.MINUTES);
			return process.exitValue();
		}
		finally {
			process.destroyForcibly();
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
