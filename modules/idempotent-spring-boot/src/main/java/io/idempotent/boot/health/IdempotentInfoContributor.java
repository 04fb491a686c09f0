package io.idempotent.boot.health;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import org.springframework.boot.SpringBootVersion;
import org.springframework.boot.actuate.info.Info;
import org.springframework.boot.actuate.info.InfoContributor;

/**
 * Tells what is in force: versions, namespace, node, store, guard and lock engine. Asks
 * no server.
 */
final class IdempotentInfoContributor implements InfoContributor {

	private final String namespace;

	private final List<InfoDetail> details;

	IdempotentInfoContributor(String namespace, List<InfoDetail> details) {
		this.namespace = namespace;
		this.details = List.copyOf(details);
	}

	@Override
	public void contribute(Info.Builder builder) {
		Map<String, Object> info = new LinkedHashMap<>();
		String version = getClass().getPackage().getImplementationVersion();
		if (version != null) {
			info.put("version", version);
		}
		info.put("springBoot", SpringBootVersion.getVersion());
		info.put("namespace", this.namespace);
		this.details.forEach((detail) -> info.putAll(detail.describe()));
		builder.withDetail("idempotent", info);
	}

	/**
	 * A part of the information.
	 */
	interface InfoDetail {

		/**
		 * Describes the part.
		 * @return names and values, without secrets
		 */
		Map<String, Object> describe();

	}

}
