package io.idempotent.steps.internal;

import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

import io.idempotent.steps.OperationSteps;

import org.springframework.jdbc.core.JdbcTemplate;

/**
 * Lets the process of an operation die, or stand still, at each of its points, and others
 * repeat the operation. Tells what took effect more than once, or never.
 */
final class CrashSweep implements AutoCloseable {

	private final StepsDatabase database;

	private final Nodes nodes;

	private final Payment payment;

	private final List<String> deviations = new ArrayList<>();

	private int runs;

	CrashSweep(StepsDatabase database, Payment payment) {
		this.database = database;
		this.nodes = new Nodes(database);
		this.payment = payment;
	}

	List<String> deviations() {
		return this.deviations;
	}

	int runs() {
		return this.runs;
	}

	/** The first process dies at each point, and so does the second one. */
	void dieTwice() {
		int points = points();
		for (int first = 1; first <= points; first++) {
			for (int second = 1; second <= points; second++) {
				Trial trial = new Trial();
				trial.run(0, Points.dyingAt(first));
				trial.run(1, Points.dyingAt(second));
				trial.finish("death at " + first + " and " + second);
			}
		}
	}

	/** The first process stands still at each point while another one repeats all. */
	void standStill() {
		int points = points();
		for (int point = 1; point <= points; point++) {
			Trial trial = new Trial();
			this.runs += 2;
			this.nodes.runWithPause(point, trial.item, (steps) -> this.payment.pay(steps, trial));
			trial.finish("pause at " + point);
		}
	}

	private int points() {
		Points points = Points.counted();
		new Trial().run(0, points);
		return points.reached();
	}

	@Override
	public void close() {
		this.nodes.close();
	}

	/** The operation, with effects in the database and at the provider. */
	interface Payment {

		String pay(OperationSteps steps, Trial trial);

	}

	/** One operation, until it is done. */
	final class Trial {

		private final String item = UUID.randomUUID().toString();

		private final Provider provider = new Provider();

		/** In the open transaction, or else at once. */
		String order(String charge) {
			new JdbcTemplate(CrashSweep.this.nodes.dataSource()).update("insert into orders (item) values (?)",
					this.item);
			return "order for " + charge;
		}

		String call(String key, String what) {
			CrashSweep.this.nodes.points().reach();
			String result = this.provider.call(key, what);
			CrashSweep.this.nodes.points().reach();
			return result;
		}

		private String run(int node, Points points) {
			CrashSweep.this.runs++;
			return CrashSweep.this.nodes.run(node, points, this.item,
					(steps) -> CrashSweep.this.payment.pay(steps, this));
		}

		private void finish(String what) {
			String result = run(1, Points.counted());
			int orders = CrashSweep.this.database.orders(this.item);
			if (!result.equals("order for charge 1") || orders != 1 || this.provider.effects() != 2) {
				CrashSweep.this.deviations
					.add(what + ": " + result + ", orders: " + orders + ", calls: " + this.provider.calls());
			}
		}

	}

}
