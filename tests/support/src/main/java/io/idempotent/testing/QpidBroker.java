package io.idempotent.testing;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Map;

import org.apache.qpid.server.SystemLauncher;
import org.apache.qpid.server.SystemLauncherListener;
import org.apache.qpid.server.model.Broker;
import org.apache.qpid.server.model.Port;
import org.apache.qpid.server.model.SystemConfig;
import org.jspecify.annotations.Nullable;

/**
 * A broker in this JVM that keeps everything in memory.
 */
public final class QpidBroker implements AutoCloseable {

	private static final String CONFIGURATION = """
			{
			  "name": "test", "modelVersion": "8.0",
			  "authenticationproviders": [ { "name": "plain", "type": "Plain", "secureOnlyMechanisms": [],
			    "users": [ { "name": "guest", "type": "managed", "password": "guest" } ] } ],
			  "ports": [ { "name": "AMQP", "port": 0, "bindingAddress": "127.0.0.1",
			    "protocols": [ "AMQP_0_9_1" ], "authenticationProvider": "plain",
			    "virtualhostaliases": [ { "name": "name", "type": "nameAlias" } ] } ],
			  "virtualhostnodes": [ { "name": "default", "type": "Memory", "defaultVirtualHostNode": "true",
			    "virtualHostInitialConfiguration":
			      "{ \\"type\\": \\"Memory\\", \\"queues\\": [ { \\"name\\": \\"QUEUE\\", \\"type\\": \\"standard\\" } ] }" } ]
			}
			""";

	private @Nullable SystemConfig<?> system;

	private final SystemLauncher launcher = new SystemLauncher(
			new SystemLauncherListener.DefaultSystemLauncherListener() {

				@Override
				public void onContainerResolve(SystemConfig<?> found) {
					QpidBroker.this.system = found;
				}

			});

	public void start(String queue) throws Exception {
		String configuration = Base64.getEncoder()
			.encodeToString(CONFIGURATION.replace("QUEUE", queue).getBytes(StandardCharsets.UTF_8));
		this.launcher.startup(Map.of("type", "Memory", "startupLoggedToSystemOut", false,
				"initialConfigurationLocation", "data:application/json;base64," + configuration));
	}

	public int port() {
		if (this.system == null) {
			throw new IllegalStateException("It has not been started");
		}
		Broker<?> broker = (Broker<?>) this.system.getContainer();
		return broker.getPorts().stream().mapToInt(Port::getBoundPort).findFirst().orElseThrow();
	}

	@Override
	public void close() {
		this.launcher.shutdown();
	}

}
