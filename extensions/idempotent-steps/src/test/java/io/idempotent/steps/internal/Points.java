package io.idempotent.steps.internal;

/**
 * The points of an attempt at which its process may die, or stand still while another one
 * runs. A dead process does nothing more. A thread is a process.
 */
final class Points {

	private static final Points NONE = new Points(0, () -> {
	});

	private final int at;

	private final Runnable event;

	private int reached;

	private boolean dead;

	private Points(int at, Runnable event) {
		this.at = at;
		this.event = event;
	}

	static Points counted() {
		return new Points(0, () -> {
		});
	}

	/** Dies at a point, counted from 1. */
	static Points dyingAt(int point) {
		return new Points(point, () -> {
			throw new Death();
		});
	}

	/** Ends the JVM at a point, counted from 1, as if it were killed. */
	static Points haltingAt(int point, int status) {
		return new Points(point, () -> Runtime.getRuntime().halt(status));
	}

	/** Stands still at a point, counted from 1, until the other one has run. */
	static Points pausedAt(int point, Runnable other) {
		return new Points(point, other);
	}

	void reach() {
		if (this.dead) {
			throw new Death();
		}
		this.reached++;
		if (this.reached == this.at) {
			try {
				this.event.run();
			}
			catch (Death ex) {
				this.dead = true;
				throw ex;
			}
		}
	}

	int reached() {
		return this.reached;
	}

	/** Those of the process that runs on a thread. */
	static final class Current {

		private final ThreadLocal<Points> points = ThreadLocal.withInitial(() -> NONE);

		void set(Points next) {
			this.points.set(next);
		}

		void clear() {
			this.points.remove();
		}

		/** Before and after whatever another process could see. */
		<T> T around(Action<T> action) throws Throwable {
			Points own = this.points.get();
			if (own == NONE) {
				return action.run();
			}
			own.reach();
			T result = action.run();
			own.reach();
			return result;
		}

		void reach() {
			if (this.points.get() != NONE) {
				this.points.get().reach();
			}
		}

	}

	interface Action<T> {

		T run() throws Throwable;

	}

	/** Of the process: nothing that it would do afterwards happens. */
	static final class Death extends Error {

		private static final long serialVersionUID = 1L;

	}

}
