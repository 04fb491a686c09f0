package io.idempotent.boot;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Configuration;

/**
 * Applications with a database, each of which asks for something of another module.
 */
final class MissingModuleApplication {

	private MissingModuleApplication() {
	}

	public static void main(String[] arguments) {
		for (String properties : new String[] { "--idempotent.store.type=jdbc",
				"--idempotent.store.type=local --idempotent.guard.enabled=true",
				"--idempotent.store.type=local --idempotent.lock.engines=jdbc",
				"--idempotent.store.type=local --idempotent.lock.engines=zookeeper" }) {
			try {
				new SpringApplication(Sources.class).run(("--spring.main.banner-mode=off "
						+ "--spring.main.web-application-type=none --spring.datasource.url=jdbc:h2:mem:modules "
						+ properties)
					.split(" "));
			}
			catch (RuntimeException ex) {
				System.out.println("Refused: " + properties);
			}
		}
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Sources {

	}

}
