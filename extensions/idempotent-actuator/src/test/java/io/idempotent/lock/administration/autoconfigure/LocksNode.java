package io.idempotent.lock.administration.autoconfigure;

import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import io.idempotent.administration.autoconfigure.OperatorServer;
import io.idempotent.embedded.EmbeddedRedis;
import io.idempotent.lock.DistributedLocks;
import io.idempotent.lock.administration.SwitchControl;
import io.idempotent.lock.administration.SwitchControl.NotSwitchedException;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.boot.actuate.audit.AuditEventRepository;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * A node with a secured actuator, and its endpoint for locks.
 */
final class LocksNode implements AutoCloseable {

	private final OperatorServer server;

	private LocksNode(OperatorServer server) {
		this.server = server;
	}

	static LocksNode start(String name, EmbeddedRedis redis, String database, String... more) {
		List<String> properties = new ArrayList<>(List.of("idempotent.node=" + name,
				"spring.datasource.url=" + database, "idempotent.lock.engines=redisson,jdbc,jdbc-transaction,local",
				"idempotent.lock.lease-time=3s", "logging.level.io.idempotent.audit=info"));
		properties.addAll(List.of(more));
		return new LocksNode(OperatorServer.start(redis, properties.toArray(String[]::new)));
	}

	DistributedLocks locks() {
		return this.server.bean(DistributedLocks.class);
	}

	AuditEventRepository audit() {
		return this.server.bean(AuditEventRepository.class);
	}

	Reply get(@Nullable String user, String query) {
		return send(this.server.request(user, "/actuator/locks" + query));
	}

	Reply post(String user, Map<String, String> body) {
		return post(user, JsonMapper.shared().writeValueAsString(body));
	}

	Reply post(String user, String body) {
		return send(this.server.request(user, "/actuator/locks")
			.header("Content-Type", "application/json")
			.POST(BodyPublishers.ofString(body)));
	}

	private Reply send(HttpRequest.Builder request) {
		OperatorServer.Answer answer = this.server.answer(request);
		return new Reply(answer.status(), answer.body());
	}

	@Override
	public void close() {
		this.server.close();
	}

	/**
	 * What the endpoint has replied.
	 */
	record Reply(int status, String body) {

		@SuppressWarnings("unchecked")
		Map<String, Object> json() {
			return JsonMapper.shared().readValue(this.body, Map.class);
		}

		@SuppressWarnings("unchecked")
		List<Map<String, Object>> list(String name) {
			return (List<Map<String, Object>>) json().get(name);
		}

		Map<String, Object> object(String name) {
			@SuppressWarnings("unchecked")
			Map<String, Object> object = (Map<String, Object>) json().get(name);
			return object;
		}

	}

	/** A switch in progress. */
	@Configuration(proxyBeanMethods = false)
	static class Switching {

		@Bean
		SwitchControl switchControl() {
			return new SwitchControl() {

				@Override
				public Map<String, Object> status() {
					return Map.of("epoch", 7, "switch",
							Map.of("target", "jdbc", "waitingFor", List.of("1@host (1 lock)")));
				}

				@Override
				public void switchTo(String engine) {
					throw new NotSwitchedException(new IllegalStateException("not now"));
				}

				@Override
				public boolean callOff() {
					return true;
				}

			};
		}

	}

}
