package io.idempotent.steps.internal;

import java.util.concurrent.CompletableFuture;

import javax.sql.DataSource;

import io.idempotent.function.ThrowingFunction;
import io.idempotent.steps.OperationSteps;
import io.idempotent.steps.StepAdministration;

/**
 * Two nodes whose processes die and stand still, and a third one.
 */
final class Nodes implements AutoCloseable {

	private final Points.Current points = new Points.Current();

	private final DataSource dataSource;

	private final StepsNode first;

	private final StepsNode second;

	private final StepsNode bystander;

	Nodes(StepsDatabase database) {
		this.dataSource = new PointsDataSource(database.dataSource(), this.points);
		this.first = new StepsNode(this.dataSource);
		this.second = new StepsNode(this.dataSource);
		this.bystander = new StepsNode(this.dataSource);
	}

	/** In an open transaction, part of it. */
	DataSource dataSource() {
		return this.dataSource;
	}

	Points.Current points() {
		return this.points;
	}

	StepAdministration administration() {
		return this.bystander.steps().administration();
	}

	/** Returns the result, or what was thrown. */
	String run(int node, Points points, String key, ThrowingFunction<OperationSteps, String, RuntimeException> code) {
		return run((node % 2 == 0) ? this.first : this.second, points, key, code);
	}

	/** The first node stands still, while the third one runs. */
	String runWithPause(int point, String key, ThrowingFunction<OperationSteps, String, RuntimeException> code) {
		return run(this.first, Points.pausedAt(point,
				() -> CompletableFuture.runAsync(() -> run(this.bystander, Points.counted(), key, code)).join()), key,
				code);
	}

	private String run(StepsNode node, Points points, String key,
			ThrowingFunction<OperationSteps, String, RuntimeException> code) {
		this.points.set(points);
		try {
			return node.run(key, code);
		}
		catch (Points.Death | RuntimeException ex) {
			return ex.toString();
		}
		finally {
			this.points.clear();
		}
	}

	@Override
	public void close() {
		this.first.close();
		this.second.close();
		this.bystander.close();
	}

}
