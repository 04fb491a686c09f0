package io.idempotent.lock.quorum.autoconfigure;

import java.time.Duration;
import java.util.List;

import io.idempotent.boot.settings.PropertyAssertions;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Properties of locks on several independent Redis servers.
 *
 * @param servers URLs of the servers, as redis://user:password@host:port/database, or
 * rediss:// for TLS: an odd number, at least three. All nodes must name the same servers.
 * Read by the module idempotent-lock-quorum.
 * @param timeout How long the reply of a server is waited for. Short compared to leases.
 */
@ConfigurationProperties("idempotent.lock.quorum")
record QuorumLockProperties(@DefaultValue List<String> servers, @DefaultValue("500ms") Duration timeout) {

	QuorumLockProperties {
		PropertyAssertions.that(timeout.toMillis() > 0, "idempotent.lock.quorum.timeout", timeout,
				"it must be at least a millisecond", "Give a time such as 500ms");
	}

	/**
	 * Without the servers, whose URLs may contain passwords.
	 */
	@Override
	public String toString() {
		return "QuorumLockProperties[" + this.servers.size() + " servers, timeout=" + this.timeout + "]";
	}

}
