package io.idempotent.lock.switching;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;

import io.idempotent.lock.LockMode;
import io.idempotent.lock.LockUnavailableException;
import io.idempotent.lock.engine.InterruptibleWait.CancelledException;
import io.idempotent.lock.engine.LockEngine;
import io.idempotent.lock.engine.LockGrant;
import io.idempotent.lock.engine.LockHolder;
import io.idempotent.lock.engine.LockRequest;
import io.idempotent.lock.engine.LockState;
import org.jspecify.annotations.Nullable;

/**
 * Grants locks on the engine that the nodes have agreed on. A grant is valid no longer
 * than the {@link EpochTerm} in which it was made, and counts until it is abandoned: the
 * nodes switch when no grant counts. A request that waits moves on to the next engine.
 */
public final class SwitchingLockEngine implements LockEngine {

	private final Map<String, LockEngine> engines = new LinkedHashMap<>();

	private final Epochs epochs;

	/** Locks may name these engines. The epochs are closed together with this engine. */
	public SwitchingLockEngine(List<LockEngine> engines, Epochs epochs) {
		engines.forEach((engine) -> this.engines.putIfAbsent(engine.name(), engine));
		this.epochs = epochs;
		epochs.engines().forEach(this::find);
	}

	public Epochs epochs() {
		return this.epochs;
	}

	@Override
	public String name() {
		return this.epochs.engine();
	}

	@Override
	public List<LockEngine> engines() {
		return List.copyOf(this.engines.values());
	}

	@Override
	public LockEngine engineOf(LockGrant grant) {
		return ((TermGrant) grant).engine();
	}

	private LockEngine find(String name) {
		LockEngine engine = this.engines.get(name);
		if (engine == null) {
			throw new IllegalArgumentException("There is no lock engine '" + name + "' among " + this.engines.keySet());
		}
		return engine;
	}

	@Override
	public boolean supports(LockMode mode) {
		return find(name()).supports(mode);
	}

	@Override
	public boolean queuesWaiters() {
		return find(name()).queuesWaiters();
	}

	@Override
	public @Nullable LockGrant acquire(LockRequest request, Duration wait) throws InterruptedException {
		return acquire(request, wait, List::of);
	}

	/**
	 * Waits, within its time, until no switch is in progress. A thread that holds a lock
	 * for which a switch waits does not wait for that switch: it gets the next lock in
	 * the same term.
	 */
	@Override
	public @Nullable LockGrant acquire(LockRequest request, Duration wait, Supplier<List<LockGrant>> heldByThread)
			throws InterruptedException {
		List<LockGrant> held = heldByThread.get();
		LongSupplier nanosLeft = timer(wait);
		EpochTerm outer = termOf(held, (term) -> !term.isOpen());
		if (outer != null) {
			return ask(outer, request, nanosLeft, held);
		}
		while (true) {
			EpochTerm term = this.epochs.awaitTerm(request, nanosLeft);
			if (term == null) {
				return null;
			}
			try {
				return ask(term, request.until(() -> !term.isOpen()), nanosLeft, held);
			}
			catch (CancelledException ex) {
				// The next engine is asked.
			}
			catch (LockUnavailableException ex) {
				if (term.isOpen()) {
					throw ex;
				}
			}
		}
	}

	private static LongSupplier timer(Duration wait) {
		if (wait.compareTo(FOREVER) >= 0) {
			return () -> Long.MAX_VALUE;
		}
		long end = System.nanoTime() + wait.toNanos();
		return () -> Math.max(0, end - System.nanoTime());
	}

	private @Nullable LockGrant ask(EpochTerm term, LockRequest request, LongSupplier nanosLeft, List<LockGrant> held)
			throws InterruptedException {
		LockEngine engine = find(term.engine());
		engine.requireSupport(request.mode());
		LockGrant grant = this.epochs.health().acquire(engine, request, Duration.ofNanos(nanosLeft.getAsLong()));
		// One that does not count is not valid, so that it is released.
		return (grant != null) ? new TermGrant(term, engine, grant,
				() -> term.enter() || (termOf(held, term::equals) != null && term.enterNested())) : null;
	}

	/** The term of another lock that the thread holds. */
	private static @Nullable EpochTerm termOf(List<LockGrant> grants, Predicate<EpochTerm> condition) {
		for (LockGrant held : grants) {
			if (held instanceof TermGrant grant && condition.test(grant.term()) && grant.isValid()) {
				return grant.term();
			}
		}
		return null;
	}

	@Override
	public LockState inspect(String name) {
		EpochTerm term = this.epochs.openTerm();
		if (term == null) {
			return find(name()).inspect(name);
		}
		LockState state = find(term.engine()).inspect(name);
		List<LockHolder> holders = state.holders()
			.stream()
			.map((holder) -> holder.withToken(token(term, holder.token())))
			.toList();
		return new LockState(holders, state.waiters(), token(term, state.lastToken()));
	}

	private static @Nullable Long token(EpochTerm term, @Nullable Long token) {
		return (token != null) ? Long.valueOf(term.token(token)) : null;
	}

	@Override
	public boolean forceRelease(String name) {
		return find(name()).forceRelease(name);
	}

	/** Ends the contact to the other nodes. The {@link #engines()} stay open. */
	@Override
	public void close() {
		this.epochs.close();
	}

}
