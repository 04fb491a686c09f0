package io.idempotent.lock;

import java.io.Serial;
import java.time.Duration;
import java.util.List;

import io.idempotent.logging.DurationText;
import org.jspecify.annotations.Nullable;

/**
 * Somebody else held the lock for as long as was waited. Nothing was run. On HTTP it
 * becomes a problem document.
 */
public class LockNotObtainedException extends RuntimeException {

	@Serial
	private static final long serialVersionUID = 1L;

	private final String[] names;

	/**
	 * Creates the exception.
	 * @param names the locks that were asked for
	 * @param waited how long was waited at most
	 * @param cause the interrupt that ended the waiting, if one did; the thread is still
	 * interrupted
	 */
	public LockNotObtainedException(List<String> names, Duration waited, @Nullable InterruptedException cause) {
		super("The lock " + names + " was not obtained within " + DurationText.of(waited)
				+ ((cause != null) ? ": the waiting thread was interrupted" : ""), cause);
		this.names = names.toArray(String[]::new);
	}

	/**
	 * Which locks were asked for.
	 * @return their names
	 */
	public List<String> names() {
		return List.of(this.names);
	}

}
