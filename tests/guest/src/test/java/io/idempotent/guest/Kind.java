package io.idempotent.guest;

import java.util.ArrayList;
import java.util.List;

import io.idempotent.guest.jpa.JpaApplication;
import io.idempotent.guest.modulith.ModulithApplication;
import io.idempotent.guest.mongo.MongoApplication;

/**
 * An application, by what it had before the starter came.
 *
 * @param name what it had
 * @param application its class
 * @param artifacts what it depends on
 * @param arguments what it is started with
 */
record Kind(String name, Class<?> application, List<String> artifacts, List<String> arguments) {

	/** Those with the same artifacts are started in one JVM. */
	static List<Kind> all() {
		return List.of(new Kind("Nothing but controllers", Applications.Plain.class, List.of(), List.of()),
				new Kind("Caches in a map", Applications.Caching.class, List.of("spring-boot-starter-cache"),
						List.of()),
				new Kind("Caches in Caffeine", Applications.Caching.class,
						List.of("spring-boot-starter-cache", "caffeine"), List.of()),
				new Kind("Caches in Ehcache", Applications.Caching.class,
						List.of("spring-boot-starter-cache", "cache-api", "ehcache"),
						List.of("--spring.cache.cache-names=quotes")),
				new Kind("Entities and repositories", JpaApplication.class,
						List.of("spring-boot-starter-data-jpa", "h2"), List.of()),
				new Kind("Documents and repositories", MongoApplication.class,
						List.of("spring-boot-starter-data-mongodb"), List.of()),
				new Kind("A template of its own", Applications.OwnTemplate.class,
						List.of("spring-boot-starter-data-redis", "redisson"), List.of()),
				new Kind("A client of its own", Applications.OwnClient.class,
						List.of("spring-boot-starter-data-redis", "redisson"), List.of()),
				new Kind("A mapper of its own", Applications.OwnMapper.class, List.of(), List.of()),
				new Kind("An envelope, names and texts of its own", Applications.Shaping.class, List.of(),
						List.of("--spring.jackson.property-naming-strategy=SNAKE_CASE")),
				new Kind("Names of beans like the library's", Applications.Names.class,
						List.of("spring-boot-starter-session-jdbc", "h2"), List.of()),
				new Kind("Names that may be overridden", Applications.Names.class,
						List.of("spring-boot-starter-session-jdbc", "h2"),
						List.of("--spring.main.allow-bean-definition-overriding=true")),
				new Kind("Clients that share the interfaces of servers", Applications.Clients.class, List.of(),
						List.of()),
				new Kind("A scheduler of its own", Applications.Scheduling.class, List.of(), List.of()),
				new Kind("Sessions in a database", Applications.Plain.class,
						List.of("spring-boot-starter-session-jdbc", "h2"), List.of()),
				new Kind("Users, and forms with CSRF tokens", Applications.Plain.class,
						List.of("spring-boot-starter-security"),
						List.of("--spring.security.user.password=not-generated")),
				new Kind("No CSRF tokens", Applications.Open.class, List.of("spring-boot-starter-security"),
						List.of("--spring.security.user.password=not-generated")),
				new Kind("Endpoints, templates, a document of its API", Applications.Plain.class,
						List.of("spring-boot-starter-actuator", "spring-boot-starter-thymeleaf",
								"springdoc-openapi-starter-webmvc-api"),
						List.of("--management.endpoints.web.exposure.include=health,info",
								"--management.endpoint.health.show-details=always")),
				new Kind("A job", Applications.Batch.class, List.of("spring-boot-starter-batch"), List.of()),
				new Kind("Modules", ModulithApplication.class,
						List.of("spring-modulith-starter-jdbc", "spring-boot-starter-jdbc", "h2"), List.of()),
				new Kind("Much of that at once", JpaApplication.class,
						List.of("spring-boot-starter-data-jpa", "h2", "spring-boot-starter-security",
								"spring-boot-starter-actuator", "spring-boot-starter-cache", "caffeine",
								"spring-boot-starter-thymeleaf", "springdoc-openapi-starter-webmvc-api"),
						List.of("--spring.security.user.password=not-generated")));
	}

	/** A database comes with a starter of its own, too. */
	boolean hasDatabase() {
		return this.artifacts.contains("h2");
	}

	/** Only they get tokens. */
	boolean hasUsers() {
		return this.artifacts.contains("spring-boot-starter-security") && this.application != Applications.Open.class;
	}

	List<String> allArtifacts() {
		List<String> all = new ArrayList<>(List.of("spring-boot-starter-webmvc"));
		all.addAll(this.artifacts);
		return all;
	}

	@Override
	public String toString() {
		return this.name;
	}

}
