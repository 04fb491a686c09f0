package io.idempotent.health.autoconfigure;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What a check has found, with the codes of Spring Boot: {@code UP} unless it says so.
 */
public final class HealthReport {

	private String status = "UP";

	private final Map<String, Object> details = new LinkedHashMap<>();

	public String status() {
		return this.status;
	}

	public Map<String, Object> details() {
		return this.details;
	}

	HealthReport with(String name, Object detail) {
		this.details.put(name, detail);
		return this;
	}

	void down(String problem, String consequence) {
		this.status = "DOWN";
		with("problem", problem).with("consequence", consequence);
	}

	void unknown(String note) {
		this.status = "UNKNOWN";
		with("note", note);
	}

}
