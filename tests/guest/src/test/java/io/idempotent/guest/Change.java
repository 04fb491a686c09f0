package io.idempotent.guest;

import java.util.Arrays;
import java.util.regex.Pattern;

/**
 * What a starter changes, and why. The page "Getting started" tells it to users.
 */
enum Change {

	/** Its own beans, log lines and threads. */
	OURS(".*\\bio\\.idempotent\\..*|bean idempotencyFilter: .*|bean \\w+SchemaInitializer: .*|thread idempotent-.*"),

	/**
	 * Its annotations are advised by Spring's AOP, which AspectJ on the class path
	 * switches on.
	 */
	AOP("bean .*(AopAutoConfiguration|AutoProxyCreator).*"),

	/**
	 * Its hidden field comes from a processor that asks Spring Security's for the other
	 * one.
	 */
	FORMS("bean requestDataValueProcessor: .*"),

	/** It says how its store and its locks are. */
	HEALTH("response GET /actuator/health .*"),

	/** It has an endpoint for tokens. */
	TOKENS("response GET /v3/api-docs .*"),

	/**
	 * Spring Boot configures Redis where Spring Data Redis and Lettuce are on the class
	 * path.
	 */
	REDIS("(bean|injected|thread) .*([rR]edis|lettuce|[nN]etty|keyValueMappingContext).*", Starter.DEFAULT),

	/** It configures other things where any module of Spring Data is. */
	SPRING_DATA(
			"(bean|injected) .*(springframework\\.data\\.|springframework\\.boot\\.data\\.|springframework\\.(boot\\.)?transaction\\."
					+ "|springframework\\.boot\\.persistence|springframework\\.dao\\.).*"
					+ "|log INFO org\\.springframework\\.data\\.repository\\.config\\.RepositoryConfigurationDelegate .*",
			Starter.DEFAULT),

	/**
	 * Spring Data Redis brings JAXB's annotations, which Spring MVC has a converter for.
	 */
	JAXB("converter .*Jaxb2RootElementHttpMessageConverter", Starter.DEFAULT),

	/** Redisson brings the annotations of JSR 107, which Spring's caches understand. */
	JCACHE("bean .*[jJ]Cache.*", Starter.DEFAULT),

	/** Lettuce brings Reactor, which health and springdoc support. */
	REACTOR("bean .*([rR]eactiveHealthContributorRegistry|org\\.springdoc\\.).*", Starter.DEFAULT);

	private final Pattern pattern;

	private final boolean byRedis;

	Change(String pattern) {
		this.pattern = Pattern.compile(pattern);
		this.byRedis = false;
	}

	Change(String pattern, Starter starter) {
		this.pattern = Pattern.compile(pattern);
		this.byRedis = starter.equals(Starter.DEFAULT);
	}

	/** Only what another of its kind replaces. */
	static boolean mayGo(String line) {
		return Arrays.stream(values())
			.filter((change) -> change == AOP || change == FORMS || change == HEALTH || change == TOKENS)
			.anyMatch((change) -> change.pattern.matcher(line).matches());
	}

	static boolean mayCome(String line, Starter starter) {
		return Arrays.stream(values())
			.filter((change) -> !change.byRedis || starter.equals(Starter.DEFAULT))
			.anyMatch((change) -> change.pattern.matcher(line).matches());
	}

}
