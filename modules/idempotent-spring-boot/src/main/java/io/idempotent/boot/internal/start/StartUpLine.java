package io.idempotent.boot.internal.start;

import io.idempotent.boot.internal.properties.IdempotentProperties;
import io.idempotent.boot.settings.Namespace;
import io.idempotent.method.OperationNames;
import io.idempotent.store.IdempotencyStore;
import io.idempotent.store.OutcomeCache;
import io.idempotent.submission.receipt.Receipts;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.context.event.ApplicationStartedEvent;
import org.springframework.context.ApplicationListener;
import org.springframework.core.env.Environment;
import org.springframework.util.ObjectUtils;
import org.springframework.util.StringUtils;

/**
 * Logs the configuration in one line after the start. Warns if no namespace is set.
 */
public record StartUpLine(IdempotentProperties properties, Environment environment,
		ObjectProvider<IdempotencyStore> store, ObjectProvider<OutcomeCache> cache, ObjectProvider<Receipts> receipts,
		ObjectProvider<OperationNames> operations) implements ApplicationListener<ApplicationStartedEvent> {

	private static final Log logger = LogFactory.getLog(StartUpLine.class);

	@Override
	public void onApplicationEvent(ApplicationStartedEvent event) {
		logger.info(text());
		if (!StringUtils.hasText(this.properties.namespace())
				&& !StringUtils.hasText(this.environment.getProperty("spring.application.name"))) {
			logger.warn("Neither spring.application.name nor idempotent.namespace is set: the keys of this application "
					+ "are in the namespace '" + Namespace.in(this.environment)
					+ "', which it shares with every other application on the same store that has no name either; set spring.application.name");
		}
	}

	public String text() {
		return "Idempotency: namespace '" + Namespace.in(this.environment) + "', " + records() + ", "
				+ (isPresent(this.receipts) ? "receipts in the application's database" : "no receipts")
				+ this.operations.stream()
					.findFirst()
					.map((names) -> ", annotated operations: " + names.taken().size())
					.orElse("");
	}

	private String records() {
		return this.store.stream()
			.findFirst()
			.map((bean) -> "records in " + name(bean)
					+ (isPresent(this.cache) ? ", with a near cache" : ", without a near cache"))
			.orElse("no store");
	}

	/** Stores of an application may have no text of their own. */
	private static String name(IdempotencyStore store) {
		String text = store.toString();
		return text.equals(ObjectUtils.identityToString(store)) ? store.getClass().getSimpleName() : text;
	}

	private static boolean isPresent(ObjectProvider<?> beans) {
		return beans.stream().findAny().isPresent();
	}

}
