package io.idempotent.submission;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;

import io.idempotent.store.ClaimId;
import io.idempotent.store.ClaimRequest;
import io.idempotent.store.ClaimResult;
import io.idempotent.store.IdempotencyStore;
import io.idempotent.store.IdempotencyStore.Ownership;
import io.idempotent.store.IdempotencyStore.Release;
import io.idempotent.store.OperationKey;
import io.idempotent.store.Outcome;
import io.idempotent.store.StoreUnavailableException;
import io.idempotent.store.UnreadableRecordException;

/**
 * A real store behind an unreliable network: counts what is asked of it and fails as it
 * is told to.
 */
public class FaultyStore implements IdempotencyStore {

	private final IdempotencyStore store;

	private final Map<Call, Queue<Fault>> planned = new ConcurrentHashMap<>();

	private final Queue<Call> calls = new ConcurrentLinkedQueue<>();

	private final List<ClaimRequest> requests = new CopyOnWriteArrayList<>();

	private volatile boolean down;

	public FaultyStore(IdempotencyStore store) {
		this.store = store;
	}

	/** Lets the next calls fail, each in its own way. */
	public FaultyStore next(Call call, Fault... faults) {
		this.planned.computeIfAbsent(call, (same) -> new ConcurrentLinkedQueue<>()).addAll(List.of(faults));
		return this;
	}

	public void goDown() {
		this.down = true;
	}

	public void comeBack() {
		this.down = false;
	}

	/** What was asked so far, also where it failed. */
	public List<Call> calls() {
		return List.copyOf(this.calls);
	}

	public long count(Call call) {
		return this.calls.stream().filter(call::equals).count();
	}

	/** What claims asked for so far. */
	public List<ClaimRequest> requests() {
		return List.copyOf(this.requests);
	}

	@Override
	public void issue(OperationKey key, Duration timeToLive) {
		call(Call.ISSUE, () -> {
			this.store.issue(key, timeToLive);
			return true;
		});
	}

	@Override
	public ClaimResult claim(ClaimRequest request) {
		this.requests.add(request);
		return call(Call.CLAIM, () -> this.store.claim(request));
	}

	@Override
	public Ownership renew(ClaimId claim, Duration lease) {
		return call(Call.RENEW, () -> this.store.renew(claim, lease));
	}

	@Override
	public Ownership complete(ClaimId claim, Outcome outcome, Duration retention) {
		return call(Call.COMPLETE, () -> this.store.complete(claim, outcome, retention));
	}

	@Override
	public Ownership release(ClaimId claim, Release release) {
		return call(Call.RELEASE, () -> this.store.release(claim, release));
	}

	private <R> R call(Call call, Supplier<R> effect) {
		this.calls.add(call);
		if (this.down) {
			return Fault.UNREACHABLE.strike(effect);
		}
		Queue<Fault> faults = this.planned.get(call);
		Fault fault = (faults != null) ? faults.poll() : null;
		return (fault != null) ? fault.strike(effect) : effect.get();
	}

	public enum Call {

		ISSUE, CLAIM, RENEW, COMPLETE, RELEASE

	}

	/**
	 * How a call fails.
	 */
	public interface Fault {

		/** Nothing reaches the store. */
		Fault UNREACHABLE = before(() -> {
			throw new StoreUnavailableException("The store is down", null);
		});

		/** The call takes effect, but nobody hears of it. */
		Fault REPLY_LOST = new Fault() {
			@Override
			public <R> R strike(Supplier<R> effect) {
				R lost = effect.get();
				throw new StoreUnavailableException("The reply was lost: " + lost, null);
			}
		};

		/** The record is not one that this version knows. */
		Fault UNREADABLE = before(() -> {
			throw new UnreadableRecordException("The record is garbage");
		});

		/** None: the call goes through. */
		Fault NONE = before(() -> {
		});

		<R> R strike(Supplier<R> effect);

		/** Something happens before the call goes through. */
		public static Fault before(Runnable action) {
			return new Fault() {
				@Override
				public <R> R strike(Supplier<R> effect) {
					action.run();
					return effect.get();
				}
			};
		}

		/** Throws any exception, as code in Kotlin may. */
		@SuppressWarnings("unchecked")
		static <X extends Throwable> void sneak(Throwable failure) throws X {
			throw (X) failure;
		}

		/** And something else happens after the call went through. */
		default Fault andAfter(Runnable action) {
			Fault first = this;
			return new Fault() {
				@Override
				public <R> R strike(Supplier<R> effect) {
					R reply = first.strike(effect);
					action.run();
					return reply;
				}
			};
		}

	}

}
