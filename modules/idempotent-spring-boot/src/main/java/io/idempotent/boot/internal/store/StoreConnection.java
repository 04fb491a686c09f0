package io.idempotent.boot.internal.store;

import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;

import io.idempotent.boot.internal.store.RareProbe.Answer;
import io.idempotent.store.ClaimId;
import io.idempotent.store.Fingerprint;
import io.idempotent.store.IdempotencyStore;
import io.idempotent.store.IdempotencyStore.Ownership;
import io.idempotent.store.OperationKey;
import io.idempotent.store.Owner;
import io.idempotent.support.DaemonThreads;
import io.idempotent.support.Digest;
import io.idempotent.support.StartUpException;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.ApplicationListener;
import org.springframework.context.support.DefaultLifecycleProcessor;
import org.springframework.core.SpringProperties;

/**
 * Uses the store before the web server opens its port, so that no request waits for the
 * connection and a store that does not work is reported at once. Later warns of a server
 * that lacks what the store needs, on a thread of its own, so that the start is not
 * delayed. A server that did not answer at the start is not checked: the thread could
 * wait for a reply longer than the application lives.
 */
public final class StoreConnection implements ApplicationListener<ApplicationReadyEvent> {

	private static final Log logger = LogFactory.getLog(StoreConnection.class);

	private static final Duration LEASE = Duration.ofSeconds(1);

	private static final String PROBE = "a probe, the renewal of a key that nobody has claimed, failed: ";

	private final IdempotencyStore store;

	private final boolean required;

	private final @Nullable Supplier<List<String>> warnings;

	private final RareProbe<Ownership> probe = new RareProbe<>("idempotent-store-connect", Duration.ZERO, this::use);

	private volatile boolean answered;

	/** The check that supplies the warnings may block; {@code null} if there is none. */
	public StoreConnection(IdempotencyStore store, boolean required, @Nullable Supplier<List<String>> warnings) {
		this.store = store;
		this.required = required;
		this.warnings = warnings;
	}

	/**
	 * Connects while other beans are created; a failure is of no consequence. Not before
	 * a checkpoint, which would not be taken while a connection is open.
	 */
	public StoreConnection openSoon() {
		if (!DefaultLifecycleProcessor.ON_REFRESH_VALUE
			.equalsIgnoreCase(SpringProperties.getProperty(DefaultLifecycleProcessor.CHECKPOINT_PROPERTY_NAME))) {
			this.probe.ask(Duration.ZERO);
		}
		return this;
	}

	/**
	 * Waits a few seconds at most. Fails if a required store does not work; otherwise the
	 * reason is passed on.
	 */
	public void open(Consumer<String> outage) {
		Answer<Ownership> answer = this.probe.askAtStart();
		if (answer instanceof Answer.Failed) {
			// A client that has just started may need longer than its time-out.
			answer = this.probe.askAtStart();
		}
		this.answered = answer instanceof Answer.Given;
		if (answer instanceof Answer.Failed<Ownership> failed) {
			report(failed.cause(), outage);
		}
	}

	/** Renews a claim that does not exist, which changes nothing. */
	private Ownership use() {
		OperationKey key = OperationKey.of("", "start-up", List.of(), "");
		return this.store.renew(new ClaimId(key, Owner.draw(new SecureRandom()),
				new Fingerprint(Digest.sha256().add("").build()), 1, null), LEASE);
	}

	private void report(Throwable failure, Consumer<String> outage) {
		if (this.required) {
			throw new StartUpException(
					"The store of idempotent operations does not work: " + PROBE + failure.getMessage(),
					"Make the store reachable, or set idempotent.store.required-at-start=false, so that the application "
							+ "starts and refuses submissions until the store works",
					failure);
		}
		outage.accept("the application starts without it, since " + PROBE + failure.getMessage());
	}

	@Override
	public void onApplicationEvent(ApplicationReadyEvent event) {
		if (this.answered && this.warnings != null) {
			DaemonThreads.start("idempotent-redis-check", this::check);
		}
	}

	void check() {
		if (this.warnings != null) {
			this.warnings.get().forEach(logger::warn);
		}
	}

}
