package io.idempotent.lock.quorum.autoconfigure;

import java.time.Duration;
import java.util.List;

import io.idempotent.boot.PropertyAssertions;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Properties of locks on several independent Redis servers.
 *
 * @param servers URLs of the servers, as redis://user:password@host:port/database, or
 * rediss:// for TLS: an odd number, at least three. All nodes must name the same servers.
 * @param timeout How long the reply of a server is waited for. Short compared to leases.
 * @param connectTimeout Timeout of a connection attempt.
 * @param driftFactor By how much the clocks of two machines may run at different rates,
 * as a share of the lease.
 */
@ConfigurationProperties("idempotent.lock.quorum")
record QuorumLockProperties(@DefaultValue List<String> servers, @DefaultValue("500ms") Duration timeout,
		@DefaultValue("2s") Duration connectTimeout, @DefaultValue("0.01") double driftFactor) {

	QuorumLockProperties {
		PropertyAssertions.positive("idempotent.lock.quorum.timeout", timeout);
		PropertyAssertions.positive("idempotent.lock.quorum.connect-timeout", connectTimeout);
		PropertyAssertions.that(driftFactor >= 0 && driftFactor <= 0.5, "idempotent.lock.quorum.drift-factor",
				driftFactor, "it is the share of each lease that is not used", "Give a number such as 0.01");
	}

	/**
	 * Without the servers, whose URLs may contain passwords.
	 */
	@Override
	public String toString() {
		return "QuorumLockProperties[" + this.servers.size() + " servers, timeout=" + this.timeout + ", connectTimeout="
				+ this.connectTimeout + ", driftFactor=" + this.driftFactor + "]";
	}

}
