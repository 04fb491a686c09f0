package io.idempotent.boot.internal.properties;

import java.util.Map;

import io.idempotent.boot.settings.PropertyAssertions;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.NestedConfigurationProperty;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.boot.context.properties.bind.Name;
import org.springframework.util.unit.DataSize;

/**
 * Properties of idempotency. Each group validates its values when it is bound.
 *
 * @param enabled Whether to enable the library. If false, nothing is protected:
 * idempotency, distributed locks, fences and receipts are all off, and the annotations
 * have no effect.
 * @param namespace Name of the application within every key, so that applications can
 * share a store. Defaults to "spring.application.name", or to "application" if that is
 * not set either.
 * @param node Name of this node in records and for operators: at most 64 printable ASCII
 * characters without spaces. Defaults to "spring.application.name", the host name and the
 * process id.
 * @param defaults Values of the attributes that an annotation does not set.
 * @param operations Settings of single operations, by operation name, which take
 * precedence over the annotation.
 * @param store Store of the records of operations.
 * @param token Form tokens.
 * @param web Operations that are HTTP requests.
 * @param call Operations that are method calls.
 * @param waiting Duplicates that wait for a running operation.
 */
@ConfigurationProperties("idempotent")
public record IdempotentProperties(@DefaultValue("true") boolean enabled, @Nullable String namespace,
		@Nullable String node, @NestedConfigurationProperty @DefaultValue OperationDefaults defaults,
		@DefaultValue Map<String, OperationProperties> operations,
		@NestedConfigurationProperty @DefaultValue StoreProperties store,
		@NestedConfigurationProperty @DefaultValue TokenProperties token,
		@NestedConfigurationProperty @DefaultValue WebProperties web, @DefaultValue Call call,
		@Name("wait") @DefaultValue Wait waiting) {

	/**
	 * Operations that are method calls.
	 *
	 * @param maxResult Maximum size of a stored result, as JSON. A larger result is not
	 * stored, and its duplicates are refused as "response-unavailable".
	 */
	public record Call(@DefaultValue("256KB") DataSize maxResult) {

		public Call {
			PropertyAssertions.fitsInMemory("idempotent.call.max-result", maxResult);
		}

	}

	/**
	 * Duplicates that wait for a running operation.
	 *
	 * @param maxWaiters Maximum number of duplicates that wait at the same time. Further
	 * ones are refused as in progress.
	 */
	public record Wait(@DefaultValue("50") int maxWaiters) {

		public Wait {
			PropertyAssertions.that(maxWaiters >= 0, "idempotent.wait.max-waiters", maxWaiters,
					"it must not be negative", "Give 0 to refuse every duplicate that would wait");
		}

	}

}
