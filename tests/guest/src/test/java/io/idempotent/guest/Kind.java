package io.idempotent.guest;

import java.util.ArrayList;
import java.util.List;

import io.idempotent.guest.batch.BatchApplication;
import io.idempotent.guest.caches.CachingApplication;
import io.idempotent.guest.clients.ClientApplication;
import io.idempotent.guest.jpa.JpaApplication;
import io.idempotent.guest.json.JsonApplication;
import io.idempotent.guest.modulith.ModulithApplication;
import io.idempotent.guest.mongo.MongoApplication;
import io.idempotent.guest.names.NamesApplication;
import io.idempotent.guest.plain.PlainApplication;
import io.idempotent.guest.redis.RedisApplication;
import io.idempotent.guest.redisson.RedissonApplication;
import io.idempotent.guest.scheduling.SchedulingApplication;
import io.idempotent.guest.security.OpenApplication;
import io.idempotent.guest.shaping.ShapingApplication;

/**
 * An application, by what it had before the starter came.
 *
 * @param name what it had
 * @param application its class
 * @param artifacts what it depends on
 * @param arguments what it is started with
 */
record Kind(String name, Class<?> application, List<String> artifacts, List<String> arguments) {

	static List<Kind> all() {
		return List.of(new Kind("Nothing but controllers", PlainApplication.class, List.of(), List.of()),
				new Kind("Caches in a map", CachingApplication.class, List.of("spring-boot-starter-cache"), List.of()),
				new Kind("Caches in Caffeine", CachingApplication.class,
						List.of("spring-boot-starter-cache", "caffeine"), List.of()),
				new Kind("Caches in Ehcache", CachingApplication.class,
						List.of("spring-boot-starter-cache", "cache-api", "ehcache"),
						List.of("--spring.cache.cache-names=quotes")),
				new Kind("Entities and repositories", JpaApplication.class,
						List.of("spring-boot-starter-data-jpa", "h2"), List.of()),
				new Kind("Documents and repositories", MongoApplication.class,
						List.of("spring-boot-starter-data-mongodb"), List.of()),
				new Kind("A template of its own", RedisApplication.class, List.of("spring-boot-starter-data-redis"),
						List.of()),
				new Kind("A client of its own", RedissonApplication.class, List.of("redisson"), List.of()),
				new Kind("A mapper of its own", JsonApplication.class, List.of(), List.of()),
				new Kind("An envelope, names and texts of its own", ShapingApplication.class, List.of(),
						List.of("--spring.jackson.property-naming-strategy=SNAKE_CASE")),
				new Kind("Names of beans like the library's", NamesApplication.class,
						List.of("spring-boot-starter-jdbc", "h2"), List.of()),
				new Kind("Names that may be overridden", NamesApplication.class,
						List.of("spring-boot-starter-jdbc", "h2"),
						List.of("--spring.main.allow-bean-definition-overriding=true")),
				new Kind("Clients that share the interfaces of servers", ClientApplication.class, List.of(), List.of()),
				new Kind("A scheduler of its own", SchedulingApplication.class, List.of(), List.of()),
				new Kind("Sessions in a database", PlainApplication.class,
						List.of("spring-boot-starter-session-jdbc", "h2"), List.of()),
				new Kind("Users, and forms with CSRF tokens", PlainApplication.class,
						List.of("spring-boot-starter-security"),
						List.of("--spring.security.user.password=not-generated")),
				new Kind("No CSRF tokens", OpenApplication.class, List.of("spring-boot-starter-security"),
						List.of("--spring.security.user.password=not-generated")),
				new Kind("Endpoints, templates, a document of its API", PlainApplication.class,
						List.of("spring-boot-starter-actuator", "spring-boot-starter-thymeleaf",
								"springdoc-openapi-starter-webmvc-api"),
						List.of("--management.endpoints.web.exposure.include=health,info",
								"--management.endpoint.health.show-details=always")),
				new Kind("A job", BatchApplication.class, List.of("spring-boot-starter-batch"), List.of()),
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
		return this.artifacts.contains("spring-boot-starter-security") && this.application != OpenApplication.class;
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
