package io.idempotent.lock.switching;

import java.util.List;
import java.util.function.Function;

import io.idempotent.lock.EngineSwitchException;
import io.idempotent.lock.LockUnavailableException;
import io.idempotent.lock.internal.epoch.EpochDocument;
import io.idempotent.lock.internal.epoch.EpochDocument.PendingSwitch;
import io.idempotent.lock.internal.epoch.Member;
import io.idempotent.lock.internal.epoch.SwitchCommand;
import io.idempotent.lock.internal.epoch.SwitchSettings;
import io.idempotent.logging.DurationText;
import org.jspecify.annotations.Nullable;

/**
 * The switches that an operator asks this node for.
 */
final class EpochSwitch {

	private final AuthorityContact contact;

	private final EpochMember member;

	private final SwitchSettings settings;

	private final Function<@Nullable LockUnavailableException, LockUnavailableException> unavailable;

	/**
	 * Creates an instance.
	 * @param contact the contact to the authority
	 * @param settings how nodes switch
	 * @param unavailable explains why nothing can be switched, given the failure of the
	 * authority
	 */
	EpochSwitch(AuthorityContact contact, SwitchSettings settings,
			Function<@Nullable LockUnavailableException, LockUnavailableException> unavailable) {
		this.contact = contact;
		this.member = contact.member();
		this.settings = settings;
		this.unavailable = unavailable;
	}

	/** See {@link Epochs#switchTo}. */
	void switchTo(String engine) {
		this.contact.lock().lock();
		try {
			EpochDocument document;
			do {
				document = start(engine);
			}
			while (!document.engine().equals(engine));
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new EngineSwitchException("Interrupted while the lock engine is switched to '" + engine
					+ "'. The switch goes on unless it is called off");
		}
		finally {
			this.contact.lock().unlock();
		}
	}

	/**
	 * Starts a switch, and waits for the end of what is in progress then: that switch, or
	 * the agreement on a new entry.
	 */
	private EpochDocument start(String engine) throws InterruptedException {
		EpochDocument document = execute(new SwitchCommand.Start(engine));
		PendingSwitch pending = document.pending();
		if (pending == null && document.engine().equals(engine)) {
			return document;
		}
		if (pending == null || !(pending.settling() || pending.target().equals(engine))) {
			throw impossible(document, engine);
		}
		EpochDocument before = document;
		EpochDocument latest = document;
		while (isInProgress(latest.pending(), pending)) {
			before = latest;
			latest = awaitChange(latest);
		}
		if (latest.epoch() == document.epoch() && !pending.settling()) {
			throw calledOff(before, pending);
		}
		return latest;
	}

	/** See {@link Epochs#callOff}. */
	boolean callOff() {
		this.contact.lock().lock();
		try {
			EpochDocument before = this.member.document();
			EpochDocument after = execute(new SwitchCommand.CallOff());
			return before != null && before.pending() != null && after.pending() == null
					&& after.epoch() == before.epoch();
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new EngineSwitchException("Interrupted while a switch of lock engines is called off");
		}
		finally {
			this.contact.lock().unlock();
		}
	}

	/** Lets the next round execute a command, and returns what it led to. */
	private EpochDocument execute(SwitchCommand wanted) throws InterruptedException {
		this.contact.execute(wanted);
		EpochDocument document = this.member.document();
		LockUnavailableException failed = this.contact.failure();
		if (failed != null || document == null) {
			throw this.unavailable.apply(failed);
		}
		return document;
	}

	private static boolean isInProgress(@Nullable PendingSwitch latest, PendingSwitch started) {
		return latest != null && (latest.settling() || latest.id() == started.id());
	}

	private EpochDocument awaitChange(EpochDocument latest) throws InterruptedException {
		this.contact.requireRunning();
		LockUnavailableException failed = this.contact.failure();
		if (failed != null && EpochTerm.isNone(this.member.term())) {
			throw this.unavailable.apply(failed);
		}
		this.contact.awaitChange(SwitchSettings.SWITCHING_INTERVAL);
		EpochDocument known = this.member.document();
		return (known != null) ? known : latest;
	}

	private EngineSwitchException calledOff(EpochDocument before, PendingSwitch pending) {
		return new EngineSwitchException("The switch of locks from '" + before.engine() + "' to '" + pending.target()
				+ "' was called off: by an operator, or since nodes still held locks or did not respond after "
				+ DurationText.of(this.settings.drainTime())
				+ " (idempotent.lock.switching.drain-time). Last waited for: " + EpochLog.waitingFor(before, pending));
	}

	private EngineSwitchException impossible(EpochDocument document, String engine) {
		PendingSwitch other = document.pending();
		if (other != null) {
			return new EngineSwitchException("Locks are being switched to '" + other.target()
					+ "', so that they cannot be switched to '" + engine + "' now: wait, or call that switch off");
		}
		if (document.epoch() >= EpochDocument.LAST_EPOCH) {
			return new EngineSwitchException("Epoch " + document.epoch() + " is the last one: tokens could not grow in "
					+ "another one. Stop all nodes and delete the entry at the authority to begin with epoch 1");
		}
		List<String> lacking = document.members()
			.values()
			.stream()
			.filter((member) -> !member.engines().contains(engine))
			.map(Member::description)
			.sorted()
			.toList();
		return new EngineSwitchException("Locks cannot be switched to '" + engine + "': it is not configured on "
				+ lacking + " (idempotent.lock.engines)");
	}

}
