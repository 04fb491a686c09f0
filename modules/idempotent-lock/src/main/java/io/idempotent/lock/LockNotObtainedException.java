package io.idempotent.lock;

import java.io.Serial;
import java.time.Duration;
import java.util.List;

import io.idempotent.logging.DurationText;
import org.jspecify.annotations.Nullable;

/**
 * The lock was not obtained, since another holder had it for the whole wait time. The
 * code was not run. HTTP clients get a problem document.
 */
public class LockNotObtainedException extends RuntimeException {

	@Serial
	private static final long serialVersionUID = 1L;

	private final String[] names;

	/**
	 * Creates the exception.
	 * @param waited the longest wait, as it was requested; an interrupt ends it sooner
	 * @param cause the interrupt that ended the wait, or {@code null}; the thread is
	 * still interrupted
	 */
	public LockNotObtainedException(List<String> names, Duration waited, @Nullable InterruptedException cause) {
		super("The lock " + names + " was not obtained within " + DurationText.of(waited)
				+ ((cause != null) ? ": the waiting thread was interrupted" : ""), cause);
		this.names = names.toArray(String[]::new);
	}

	/** The names of the locks that were not obtained. */
	public List<String> names() {
		return List.of(this.names);
	}

}
