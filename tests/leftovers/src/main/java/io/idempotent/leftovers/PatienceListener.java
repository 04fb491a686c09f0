package io.idempotent.leftovers;

import java.time.Duration;

import org.awaitility.Awaitility;
import org.junit.platform.launcher.LauncherSession;
import org.junit.platform.launcher.LauncherSessionListener;

/**
 * Lets tests wait longer than Awaitility's 10 seconds for what must happen: on a busy
 * machine a thread, a process or a server may need them.
 */
public final class PatienceListener implements LauncherSessionListener {

	@Override
	public void launcherSessionOpened(LauncherSession session) {
		Awaitility.setDefaultTimeout(Duration.ofMinutes(1));
	}

}
