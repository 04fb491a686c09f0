package io.idempotent.lock.engine;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import io.idempotent.lock.LockOptions;
import io.idempotent.lock.epoch.Epochs;
import io.idempotent.lock.epoch.Term;
import org.jspecify.annotations.Nullable;

/**
 * Selects the engine for each lock: the one that its options name, the one that the nodes
 * have agreed on, or else the first one.
 */
final class EngineSelection {

	private final Map<String, LockEngine> engines = new LinkedHashMap<>();

	private final Map<String, LeaseMonitor> monitors;

	/** The terms of engines that are not switched. */
	private final Map<String, Term> permanent = new LinkedHashMap<>();

	private final String first;

	private final @Nullable Epochs epochs;

	EngineSelection(List<LockEngine> engines, Map<String, LeaseMonitor> monitors, @Nullable Epochs epochs) {
		for (LockEngine engine : engines) {
			this.engines.put(engine.name(), engine);
			this.permanent.put(engine.name(), Term.permanent(engine.name()));
		}
		this.monitors = Map.copyOf(monitors);
		this.first = engines.get(0).name();
		this.epochs = epochs;
		if (epochs != null) {
			epochs.engines().forEach(this::find);
		}
	}

	/**
	 * Waits for the term in which a lock may be granted.
	 * @param request the request
	 * @param deadline how long to wait while the nodes switch to another engine
	 * @return the term, or {@code null} if they switched for the whole time
	 * @throws InterruptedException if the thread is interrupted and that ends the wait
	 */
	@Nullable Term awaitTerm(AcquireRequest request, Deadline deadline) throws InterruptedException {
		Term term = termWithoutEpochs(request.options());
		if (term != null || this.epochs == null) {
			return term;
		}
		return this.epochs.awaitTerm(deadline::nanosLeft, request.interruptible());
	}

	/**
	 * The term in which a lock may be granted at this moment.
	 * @param options the options of the lock
	 * @return the term, or {@code null} if there is none
	 */
	@Nullable Term openTerm(LockOptions options) {
		Term term = termWithoutEpochs(options);
		return (term != null || this.epochs == null) ? term : this.epochs.openTerm();
	}

	/**
	 * Whether a lock that was granted in a term is the one that was asked for.
	 * @param options the options of the lock
	 * @param term the term
	 * @return {@code false} if it is of another engine, or is not counted by the nodes
	 */
	boolean isWanted(LockOptions options, Term term) {
		return nameFor(options).equals(term.engine())
				&& term.canEnd() == (this.epochs != null && options.engine() == null);
	}

	/**
	 * Whether locks that name no engine are granted in a term, as far as it lasts.
	 * @param term the term
	 * @return {@code false} if only locks that name its engine are
	 */
	boolean isUsual(Term term) {
		return (this.epochs != null) ? term.canEnd() : term.engine().equals(this.first);
	}

	private @Nullable Term termWithoutEpochs(LockOptions options) {
		if (options.engine() != null) {
			return permanentTerm(options.engine());
		}
		return (this.epochs == null) ? permanentTerm(this.first) : null;
	}

	/**
	 * The term of an engine that a lock asks for by name.
	 * @param engine the name
	 * @return the term, which never ends
	 */
	Term permanentTerm(String engine) {
		find(engine);
		return Objects.requireNonNull(this.permanent.get(engine));
	}

	/**
	 * The name of the engine that a lock is taken on.
	 * @param options the options of the lock
	 * @return the name, as far as this node knows
	 */
	String nameFor(LockOptions options) {
		return (options.engine() != null) ? options.engine() : current();
	}

	/**
	 * The fencing token of a grant, as its holder sees it.
	 * @param options the options of the lock
	 * @param engine the engine
	 * @param token the token of the engine
	 * @return the token, which grows with each switch to another engine too
	 */
	long token(LockOptions options, String engine, long token) {
		Term term = openTerm(options);
		return (term != null && term.engine().equals(engine)) ? term.token(token) : token;
	}

	/**
	 * The engine in force.
	 * @return its name, as far as this node knows
	 */
	String current() {
		return (this.epochs != null) ? this.epochs.engine() : this.first;
	}

	LockEngine engine(Term term) {
		return find(term.engine());
	}

	LeaseMonitor monitor(LockEngine engine) {
		LeaseMonitor monitor = this.monitors.get(engine.name());
		if (monitor == null) {
			throw new IllegalArgumentException("The lock engine '" + engine.name() + "' is not one of " + names());
		}
		return monitor;
	}

	LockEngine find(String engine) {
		LockEngine found = this.engines.get(engine);
		if (found == null) {
			throw new IllegalArgumentException(
					"There is no lock engine '" + engine + "': idempotent.lock.engines names " + names());
		}
		return found;
	}

	List<String> names() {
		return List.copyOf(this.engines.keySet());
	}

}
