package io.idempotent.guest;

import java.util.EnumSet;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * What a starter changes, and why. The page "Getting started" tells it to users.
 */
enum Change {

	/** Its own beans, log lines and threads. */
	OURS(".*\\bio\\.idempotent\\..*|thread idempotent-.*"),

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
	TOKENS("response GET (/v3/api-docs|/token) .*"),

	/**
	 * Spring Boot configures Redis where Spring Data Redis and Lettuce are on the class
	 * path.
	 */
	REDIS("(bean|injected|thread) .*([rR]edis|lettuce|[nN]etty|keyValueMappingContext).*"),

	/** It configures other things where any module of Spring Data is. */
	SPRING_DATA(
			"(bean|injected) .*(springframework\\.data\\.|springframework\\.boot\\.data\\.|springframework\\.(boot\\.)?transaction\\."
					+ "|springframework\\.boot\\.persistence|springframework\\.dao\\.).*"
					+ "|log INFO org\\.springframework\\.data\\.repository\\.config\\.RepositoryConfigurationDelegate .*"),

	/**
	 * Spring Data Redis brings JAXB's annotations, which Spring MVC has a converter for.
	 */
	JAXB("converter .*Jaxb2RootElementHttpMessageConverter"),

	/** Redisson brings the annotations of JSR 107, which Spring's caches understand. */
	JCACHE("bean .*[jJ]Cache.*"),

	/** Lettuce brings Reactor, which health and springdoc support. */
	REACTOR("bean .*([rR]eactiveHealthContributorRegistry|org\\.springdoc\\.).*");

	private static final Set<Change> ALL = EnumSet.allOf(Change.class);

	/** What a starter changes that brings no Redis. */
	private static final Set<Change> WITHOUT_REDIS = EnumSet.range(OURS, TOKENS);

	/** What replaces another of its kind. */
	private static final Set<Change> REPLACING = EnumSet.range(AOP, TOKENS);

	private final Pattern pattern;

	Change(String pattern) {
		this.pattern = Pattern.compile(pattern);
	}

	static boolean mayGo(String line) {
		return contain(REPLACING, line);
	}

	static boolean mayCome(String line, Starter starter) {
		return contain(starter.equals(Starter.DEFAULT) ? ALL : WITHOUT_REDIS, line);
	}

	private static boolean contain(Set<Change> changes, String line) {
		return changes.stream().anyMatch((change) -> change.pattern.matcher(line).matches());
	}

}
