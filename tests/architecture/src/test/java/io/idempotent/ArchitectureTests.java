package io.idempotent;

import java.io.ObjectInputStream;
import java.util.Arrays;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.core.importer.Location;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import com.tngtech.archunit.lang.syntax.elements.GivenClassesConjunction;
import org.jspecify.annotations.NullMarked;

import org.springframework.context.annotation.Bean;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.assignableTo;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.simpleName;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.fields;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.GeneralCodingRules.ACCESS_STANDARD_STREAMS;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * The walls of the house.
 */
@AnalyzeClasses(packages = "io.idempotent", importOptions = ArchitectureTests.PublishedModules.class)
class ArchitectureTests {

	/** What keeps records, one package each. */
	private static final String[] STORES = { "io.idempotent.redis", "io.idempotent.jdbc.store",
			"io.idempotent.store.local" };

	/** The extensions and test modules that take a module as a whole. */
	private static final Map<String, List<String>> FRIENDS = Map.of("io.idempotent.webmvc",
			List.of("io.idempotent.form", "io.idempotent.openapi", "io.idempotent.graphql", "io.idempotent.detector"),
			"io.idempotent.boot", List.of("io.idempotent.graphql"), "io.idempotent.lock",
			List.of("io.idempotent.contract.lock", "io.idempotent.test"));

	/** What keeps locks, one package each. */
	private static final String[] LOCK_ENGINES = { "io.idempotent.lock.redis", "io.idempotent.lock.quorum",
			"io.idempotent.lock.zookeeper", "io.idempotent.lock.jdbc", "io.idempotent.lock.local" };

	/** Idempotency, without what it shares with locks. */
	private static final String[] IDEMPOTENCY = { "io.idempotent", "io.idempotent.submission..",
			"io.idempotent.store..", "io.idempotent.method..", "io.idempotent.observation..", "io.idempotent.json..",
			"io.idempotent.redis..", "io.idempotent.jdbc.store..", "io.idempotent.jdbc.receipt..",
			"io.idempotent.webmvc.." };

	/** What both share. */
	private static final String[] COMMONS = { "io.idempotent.function", "io.idempotent.support",
			"io.idempotent.transaction", "io.idempotent.jdbc", "io.idempotent.logging", "io.idempotent.audit" };

	@ArchTest
	static final ArchRule locksKnowNothingOfIdempotency = in("io.idempotent.lock..").doNotSee(IDEMPOTENCY)
		.because("an application that only locks brings locks alone");

	@ArchTest
	static final ArchRule idempotencyKnowsNothingOfLocks = noClasses().that()
		.resideInAnyPackage(IDEMPOTENCY)
		.and()
		.haveNameNotMatching("io\\.idempotent\\.webmvc\\.internal\\.dispatch\\.LockExceptionResolver")
		.should()
		.dependOnClassesThat()
		.resideInAPackage("io.idempotent.lock..")
		.because("an application that only submits brings idempotency alone; one class answers requests that a lock "
				+ "refused");

	@ArchTest
	static final ArchRule whatIsSharedKnowsNeither = in(COMMONS)
		.doNotSee(but(resideInAnyPackage("io.idempotent.."), COMMONS))
		.because("both stand on it");

	@ArchTest
	static final ArchRule theCoreSeesNeitherWebNorStores = in("io.idempotent", "io.idempotent.submission..",
			"io.idempotent.store")
		.doNotSee("io.idempotent.store.*..", "io.idempotent.redis..", "io.idempotent.jdbc..", "io.idempotent.webmvc..",
				"io.idempotent.method..", "io.idempotent.json..", "io.idempotent.boot..")
		.because("the state machine is written once, for every entrance and every store");

	@ArchTest
	static final ArchRule whatTransactionsDidIsKnownApart = noClasses().that()
		.resideInAPackage("io.idempotent.transaction..")
		.and()
		.doNotHaveSimpleName("JdbcTransactions")
		.should()
		.dependOnClassesThat(
				resideInAnyPackage("io.idempotent..", "org.springframework.jdbc..", "java.sql..", "javax.sql..")
					.and(DescribedPredicate.not(resideInAnyPackage("io.idempotent.transaction"))))
		.because("receipts, fences, the ends of calls and locks ask it, and it knows none of them; one class asks "
				+ "spring-jdbc, if it is there, which connection a savepoint is set on");

	@ArchTest
	static final ArchRule theCoreNeedsNoFramework = noClasses().that()
		.resideInAnyPackage("io.idempotent", "io.idempotent.submission..", "io.idempotent.store")
		.should()
		.dependOnClassesThat(resideInAnyPackage("org.springframework..", "jakarta..", "org.redisson..", "io.lettuce..",
				"com.github.benmanes..", "tools.jackson..", "com.fasterxml..")
			.and(DescribedPredicate.not(resideInAnyPackage("org.springframework.util").and(simpleName("Assert")))))
		.because("whoever uses the core alone, in a listener or a job, brings neither a web server nor a store; "
				+ "what is allowed of Spring is in spring-core");

	@ArchTest
	static void noStoreSeesAnother(JavaClasses classes) {
		for (String store : STORES) {
			String[] others = Arrays.stream(STORES).filter((other) -> !other.equals(store)).toArray(String[]::new);
			in(store).doNotSee(others)
				.because("a store is replaced or left out without touching another")
				.check(classes);
		}
	}

	@ArchTest
	static final ArchRule theLockCoreSeesNoEngine = in("io.idempotent.lock", "io.idempotent.lock.engine",
			"io.idempotent.lock.internal..", "io.idempotent.lock.switching", "io.idempotent.lock.administration")
		.doNotSee(but(resideInAnyPackage("io.idempotent.lock.*..", "io.idempotent.boot.."), "io.idempotent.lock.engine",
				"io.idempotent.lock.internal..", "io.idempotent.lock.switching", "io.idempotent.lock.administration"))
		.because("the life of a lease is written once, for every engine");

	@ArchTest
	static final ArchRule theLockCoreNeedsNoFramework = in("io.idempotent.lock", "io.idempotent.lock.engine")
		.doNotSee("org.springframework..", "jakarta..", "javax..", "java.sql..", "org.redisson..",
				"org.apache.curator..", "org.apache.zookeeper..")
		.because("whoever locks in a job or a tool brings neither a framework nor an engine that is not used");

	@ArchTest
	static final ArchRule theLockApiDoesNotSeeItsMachinery = in("io.idempotent.lock")
		.doNotSee("io.idempotent.lock.engine..", "io.idempotent.lock.internal..", "io.idempotent.lock.switching")
		.because("what users write against outlives how it is done");

	@ArchTest
	static final ArchRule locksAreHeldWithoutKnowingOfSwitches = in("io.idempotent.lock", "io.idempotent.lock.engine",
			"io.idempotent.lock.internal")
		.doNotSee("io.idempotent.lock.switching")
		.because("switching is an engine around engines");

	@ArchTest
	static void noLockEngineSeesAnother(JavaClasses classes) {
		for (String engine : LOCK_ENGINES) {
			String[] others = Arrays.stream(LOCK_ENGINES)
				.filter((other) -> !other.equals(engine))
				.toArray(String[]::new);
			in(engine).doNotSee(others)
				.because("an engine is replaced or left out without touching another")
				.check(classes);
		}
	}

	@ArchTest
	static final ArchRule lockEnginesSeeOnlyTheLockCore = in(LOCK_ENGINES)
		.doNotSee("io.idempotent.lock.method", "io.idempotent.lock.switching", "io.idempotent.lock.fence",
				"io.idempotent.boot..")
		.because("an engine offers primitives and knows nothing of who asks for them");

	@ArchTest
	static final ArchRule storesSeeOnlyTheSpi = in(STORES)
		.doNotSee("io.idempotent.submission..", "io.idempotent.method..", "io.idempotent.webmvc..",
				"io.idempotent.boot..")
		.because("a store offers primitives and knows nothing of who asks for them");

	@ArchTest
	static final ArchRule guardsSeeNeitherEnginesNorEntrances = in("io.idempotent.lock.fence",
			"io.idempotent.jdbc.receipt")
		.doNotSee(but(resideInAnyPackage("io.idempotent.redis..", "io.idempotent.jdbc.store..",
				"io.idempotent.store.*..", "io.idempotent.lock.*", "io.idempotent.webmvc..", "io.idempotent.method..",
				"io.idempotent.boot.."), "io.idempotent.lock.fence"))
		.because("a guard works with every engine, for every entrance");

	@ArchTest
	static final ArchRule entrancesSeeNoEngine = in("io.idempotent.webmvc..", "io.idempotent.method..",
			"io.idempotent.lock.method..")
		.doNotSee("io.idempotent.redis..", "io.idempotent.jdbc..", "io.idempotent.store.*..",
				"org.springframework.data.redis..", "org.redisson..")
		.because("an entrance works with every engine");

	@ArchTest
	static final ArchRule lockRegistrySeesTheLockApiAlone = in("io.idempotent.lock.integration")
		.doNotSee(but(resideInAnyPackage("io.idempotent.."), "io.idempotent.lock", "io.idempotent.lock.integration",
				"io.idempotent.support"))
		.because("it works with every engine");

	@ArchTest
	static final ArchRule clientsKnowNothingOfTheOtherModules = in("io.idempotent.client")
		.doNotSee(but(resideInAnyPackage("io.idempotent.."), "io.idempotent.client"))
		.because("an application that only calls others brings the client alone");

	@ArchTest
	static final ArchRule webFluxIsOptionalForClients = noClasses().that()
		.resideInAPackage("io.idempotent.client")
		.and()
		.haveNameNotMatching(
				"io\\.idempotent\\.client\\.(IdempotentExchangeFilterFunction|RepeatableBody|HeldBody)(\\$.*)?")
		.should()
		.dependOnClassesThat()
		.resideInAnyPackage("org.springframework.web.reactive..", "reactor..", "org.reactivestreams..")
		.because("an application with RestClient alone brings no reactive library");

	@ArchTest
	static final ArchRule springModulithIsOptional = outside("io.idempotent.modulith..")
		.doNotSee("org.springframework.modulith..")
		.because("its module is for applications that have it, and its auto-configuration names it only");

	@ArchTest
	static final ArchRule springAiIsOptional = outside("io.idempotent.ai..")
		.doNotSee("org.springframework.ai..", "io.modelcontextprotocol..")
		.because("its module is for applications that have it");

	@ArchTest
	static final ArchRule graphQlIsOptional = outside("io.idempotent.graphql")
		.doNotSee("graphql..", "org.springframework.graphql..")
		.because("its module is for applications that have it");

	@ArchTest
	static final ArchRule messagingIsOptional = outside("io.idempotent.boot.message..")
		.doNotSee("org.springframework.messaging..", "org.springframework.amqp..", "org.apache.kafka..",
				"jakarta.jms..", "io.cloudevents..")
		.because("an application has one of them, or none");

	@ArchTest
	static final ArchRule springIntegrationIsOptional = outside("io.idempotent.lock.integration..")
		.doNotSee("org.springframework.integration..")
		.because("an application that locks needs no message channels");

	@ArchTest
	static final ArchRule nothingDependsOnItsConfiguration = outside("io.idempotent.boot..",
			"io.idempotent..autoconfigure", "io.idempotent.openapi", "io.idempotent.graphql")
		.doNotSee("io.idempotent.boot..", "io.idempotent..autoconfigure", "io.idempotent.openapi",
				"io.idempotent.graphql")
		.because("everything works without auto-configuration, wired by hand");

	@ArchTest
	static final ArchRule modulesKnowNoExtension = noClasses().that(areIn("modules"))
		.should()
		.dependOnClassesThat(areIn("extensions"))
		.because("an extension can be left out, or deleted, without a line of the modules");

	private static DescribedPredicate<JavaClass> areIn(String directory) {
		return DescribedPredicate.describe("are in " + directory,
				(type) -> type.getSource()
					.filter((source) -> source.getUri().toString().contains("/" + directory + "/idempotent-"))
					.isPresent());
	}

	@ArchTest
	static final ArchRule enginesAreWrittenAgainstTheirSpi = in(LOCK_ENGINES)
		.doNotSee("io.idempotent.lock.internal..", "io.idempotent.lock.switching..")
		.because("an engine of an application's own can do what ours do");

	@ArchTest
	static final ArchRule internalPackagesServeTheirOwnModule = classes().that()
		.resideInAPackage("..internal..")
		.should(new ArchCondition<>("be used by their own module, by auto-configuration and by extensions of it") {

			@Override
			public void check(JavaClass type, ConditionEvents events) {
				String module = type.getPackageName().substring(0, type.getPackageName().indexOf(".internal"));
				type.getDirectDependenciesToSelf()
					.stream()
					.filter((use) -> !isFriend(use.getOriginClass().getPackageName(), module))
					.forEach((use) -> events.add(SimpleConditionEvent.violated(use, use.getDescription())));
			}

			private static boolean isFriend(String user, String module) {
				return user.equals(module) || user.startsWith(module + ".") || user.endsWith(".autoconfigure")
						|| FRIENDS.getOrDefault(module, List.of()).stream().anyMatch(user::startsWith)
						|| user.startsWith("io.idempotent.boot");
			}

		})
		.because("what is public only for a neighbour may change");

	@ArchTest
	static final ArchRule nothingDependsOnTestSupport = noClasses().that()
		.resideOutsideOfPackages("io.idempotent.test..", "io.idempotent.contract..", "io.idempotent.conformance..")
		.should()
		.dependOnClassesThat(resideInAnyPackage("io.idempotent.test..", "io.idempotent.contract..", "org.junit..",
				"org.assertj..", "org.springframework.test..", "org.springframework.mock.."))
		.because("an application runs without its tests");

	@ArchTest
	static final ArchRule testSupportSeesNoEngineWithAServer = in("io.idempotent.test..")
		.doNotSee("io.idempotent.redis..", "io.idempotent.jdbc..", "io.idempotent.lock.redis..",
				"io.idempotent.lock.quorum..", "io.idempotent.lock.zookeeper..", "io.idempotent.lock.jdbc..")
		.because("a test brings no module that the application does not have");

	@ArchTest
	static final ArchRule contractsNeedTheSpiAlone = noClasses().that()
		.resideInAPackage("io.idempotent.contract..")
		.should()
		.dependOnClassesThat(resideInAnyPackage("org.springframework..", "io.idempotent.submission..",
				"io.idempotent.method..", "io.idempotent.lock.method..", "io.idempotent.store.*..",
				"io.idempotent.lock.local..", "io.idempotent.test", "io.idempotent.test.web.."))
		.because("whoever writes a store or an engine needs no Spring to test it");

	@ArchTest
	static final ArchRule packagesFormNoCycles = slices().matching("io.(**)")
		.should()
		.beFreeOfCycles()
		.because("a package in a cycle cannot be understood or tested alone");

	@ArchTest
	static void aStorePackageExportsOneType(JavaClasses classes) {
		assertThat(STORES).allSatisfy((store) -> assertThat(publicTypes(classes, store))
			.as("public types of " + store + ", because the rest may change without notice")
			.hasSize(1));
	}

	@ArchTest
	static void aLockEnginePackageExportsItsEngines(JavaClasses classes) {
		assertThat(LOCK_ENGINES).allSatisfy((engine) -> assertThat(publicTypes(classes, engine))
			.as("public types of " + engine + ", because the rest may change without notice")
			.hasSize(engine.endsWith(".jdbc") || engine.endsWith(".redis") ? 2 : 1));
	}

	/** Except where Spring MVC and Spring Boot's health read the name. */
	@ArchTest
	static void beansHaveNamesThatNoApplicationUses(JavaClasses classes) {
		assertThat(classes.stream().flatMap((type) -> type.getMethods().stream()))
			.filteredOn((method) -> method.isAnnotatedWith(Bean.class)
					&& !method.getName().matches("requestDataValueProcessor|\\w+HealthIndicator"))
			.isNotEmpty()
			.allSatisfy((method) -> {
				Bean bean = method.getAnnotationOfType(Bean.class);
				assertThat(String.join(",", bean.value()) + String.join(",", bean.name())).startsWith("io.idempotent.");
			});
	}

	private static List<JavaClass> publicTypes(JavaClasses classes, String name) {
		return classes.getPackage(name)
			.getClasses()
			.stream()
			.filter((type) -> type.isTopLevelClass() && !type.isArray()
					&& type.getModifiers().contains(JavaModifier.PUBLIC))
			.toList();
	}

	@ArchTest
	static final ArchRule thereIsNoStaticState = fields().that()
		.areStatic()
		.should()
		.beFinal()
		.because("two applications in one JVM share nothing");

	@ArchTest
	static final ArchRule theConformanceKitSeesHttpOnly = in("io.idempotent.conformance..")
		.doNotSee(but(resideInAnyPackage("io.idempotent..", "org.springframework..", "jakarta..", "tools.jackson.."),
				"io.idempotent.conformance.."))
		.because("it checks any service, from one jar, and must not share an error with this library");

	@ArchTest
	static final ArchRule nothingIsDeserialized = noClasses().should()
		.dependOnClassesThat()
		.areAssignableTo(ObjectInputStream.class)
		.orShould()
		.dependOnClassesThat()
		.haveNameMatching("org\\.springframework\\.(core\\.serializer|data\\.redis\\.serializer\\.Jdk).*")
		.because("stored data comes from outside, and Java deserialization runs what it is told to");

	@ArchTest
	static final ArchRule nothingIsPrinted = noClasses().that()
		.resideOutsideOfPackage("io.idempotent.conformance")
		.should(ACCESS_STANDARD_STREAMS)
		.because("a library logs, and leaves the console to the application");

	@ArchTest
	static final ArchRule noWallClockIsRead = noClasses().should()
		.callMethod(System.class, "currentTimeMillis")
		.orShould()
		.callConstructor(Date.class)
		.because("the wall clocks of two machines disagree and jump");

	@ArchTest
	static final ArchRule nothingSleeps = noClasses().should()
		.callMethod(Thread.class, "sleep", long.class)
		.because("a thread that sleeps is neither woken nor shut down in time");

	@ArchTest
	static final ArchRule caffeineIsOptional = outside("io.idempotent.boot..").doNotSee("com.github.benmanes..")
		.because("an application without Caffeine must start, where a condition that names it finds it missing");

	@ArchTest
	static final ArchRule springdocIsOptional = outside("io.idempotent.openapi")
		.doNotSee("org.springdoc..", "io.swagger..")
		.because("an application without springdoc must start, where a condition that names it finds it missing");

	@ArchTest
	static final ArchRule noModuleSeesMicrometer = noClasses().that(areIn("modules"))
		.should()
		.dependOnClassesThat()
		.resideInAPackage("io.micrometer..")
		.because("modules report to interfaces, and what measures is an extension");

	@ArchTest
	static final ArchRule micrometerIsOptional = outside("io.idempotent.metrics.autoconfigure",
			"io.idempotent.observation", "io.idempotent.lock.observation", "io.idempotent.lock.switching.autoconfigure",
			"io.idempotent.steps.autoconfigure", "io.idempotent.detector.autoconfigure")
		.doNotSee("io.micrometer..")
		.because("the state machine and the locks cost nothing where nothing observes them");

	@ArchTest
	static final ArchRule lettuceIsOptional = noClasses().that()
		.haveNameNotMatching("io\\.idempotent\\.(redis|lock\\.redis)\\.Lettuce.*")
		.should()
		.dependOnClassesThat()
		.resideInAPackage("io.lettuce..")
		.because("an application with another client of Redis must start");

	@ArchTest
	static final ArchRule redissonIsOptional = noClasses().that()
		.resideInAPackage("io.idempotent.lock.redis")
		.and()
		.haveSimpleNameNotStartingWith("Redisson")
		.and()
		.haveNameNotMatching(".*\\.Redisson\\w+\\$.*")
		.should()
		.dependOnClassesThat()
		.resideInAPackage("org.redisson..")
		.because("an application with the engine 'redis' may exclude it");

	@ArchTest
	static final ArchRule springSecurityIsOptional = noClasses().that()
		.haveNameNotMatching(
				"io\\.idempotent\\.(webmvc\\.internal\\.\\w+\\.(MethodSecurity|CsrfTokens)|ui\\.autoconfigure\\.CsrfMeta|boot\\.IdempotencyAutoConfiguration\\$EncryptionConfiguration)(\\$.*)?")
		.should()
		.dependOnClassesThat()
		.resideInAPackage("org.springframework.security..")
		.because("an application without Spring Security must start");

	@ArchTest
	static final ArchRule theServletApiAndSpringMvcAreOptional = outside("io.idempotent.webmvc..", "io.idempotent.ui..",
			"io.idempotent.boot..", "io.idempotent.administration.autoconfigure", "io.idempotent.test.web..",
			"io.idempotent.client..", "io.idempotent.openapi", "io.idempotent.form..",
			"io.idempotent.steps.autoconfigure", "io.idempotent.ai..", "io.idempotent.graphql",
			"io.idempotent.detector..")
		.doNotSee("jakarta.servlet..", "org.springframework.web..", "org.springframework.http..")
		.because("an application without a web server must start");

	@ArchTest
	static final ArchRule whatKeepsRowsIsSeenByItsUsersOnly = outside("io.idempotent.jdbc..", "io.idempotent.lock.jdbc",
			"io.idempotent.lock.fence", "io.idempotent.boot..", "io.idempotent.steps..")
		.doNotSee("io.idempotent.jdbc")
		.because("it is internal, and public only because several packages share it");

	@ArchTest
	static final ArchRule loggingKnowsNothingOfItsUsers = in("io.idempotent.logging")
		.doNotSee(but(resideInAnyPackage("io.idempotent..", "org.springframework.."), "io.idempotent.logging"))
		.because("both halves and every engine print durations and outages by it");

	@ArchTest
	static final ArchRule noEntranceSeesTheOther = in("io.idempotent.method..")
		.doNotSee("io.idempotent.webmvc..", "io.idempotent.lock..")
		.because("methods of beans are idempotent without a web server and without locks");

	@ArchTest
	static final ArchRule databindIsOptional = outside("io.idempotent.boot..", "io.idempotent.ai..")
		.doNotSee("tools.jackson.databind..")
		.because("idempotent-core reads JSON by the streaming core alone, which does for whoever stores no results");

	@ArchTest
	static final ArchRule redisIsSeenInItsEnginesAndInTheConfiguration = noClasses().that()
		.resideOutsideOfPackages("io.idempotent.redis..", "io.idempotent.lock.redis..", "io.idempotent.lock.quorum..",
				"io.idempotent.boot..")
		.should()
		.dependOnClassesThat()
		.resideInAnyPackage("org.springframework.data..", "org.redisson..", "io.lettuce..")
		.because("another engine must do without Redis");

	@ArchTest
	static final ArchRule onlyThePublicApiOfRedissonIsUsed = noClasses().should()
		.dependOnClassesThat(resideInAnyPackage("org.redisson..")
			.and(DescribedPredicate.not(resideInAnyPackage("org.redisson.api..", "org.redisson.config",
					"org.redisson.codec", "org.redisson.client.codec")))
			.and(DescribedPredicate.not(resideInAnyPackage("org.redisson").and(simpleName("Redisson"))))
			.and(DescribedPredicate
				.not(resideInAnyPackage("org.redisson.client").and(assignableTo(RuntimeException.class)))))
		.because("the other packages of Redisson change without notice; exceptions are part of its API");

	@ArchTest
	static void everyPackageIsNullMarked(JavaClasses classes) {
		assertThat(classes.getPackage("io.idempotent").getSubpackagesInTree())
			.filteredOn((name) -> !name.getClasses().isEmpty())
			.isNotEmpty()
			.allSatisfy((name) -> assertThat(name.isAnnotatedWith(NullMarked.class)).as(name.getName()).isTrue());
	}

	@ArchTest
	static final ArchRule exceptionsAreUnchecked = classes().that()
		.haveSimpleNameEndingWith("Exception")
		.and()
		.areNotAssignableTo(InterruptedException.class)
		.should()
		.beAssignableTo(RuntimeException.class)
		.because("nobody who calls an operation is made to catch what it cannot handle");

	private static Types in(String... packages) {
		return new Types(noClasses().that().resideInAnyPackage(packages));
	}

	private static Types outside(String... packages) {
		return new Types(noClasses().that().resideOutsideOfPackages(packages));
	}

	private static DescribedPredicate<JavaClass> but(DescribedPredicate<JavaClass> types, String... packages) {
		return types.and(DescribedPredicate.not(resideInAnyPackage(packages)));
	}

	private record Types(GivenClassesConjunction those) {

		ArchRule doNotSee(String... packages) {
			return doNotSee(resideInAnyPackage(packages));
		}

		ArchRule doNotSee(DescribedPredicate<JavaClass> types) {
			return this.those.should().dependOnClassesThat(types);
		}

	}

	/**
	 * Takes the classes of the published modules, whether they have been packaged or not.
	 */
	static final class PublishedModules implements ImportOption {

		private static final Pattern MODULE = Pattern
			.compile(".*/idempotent-[a-z-]+/(target/classes/|(target/|[^/]+/)idempotent-[^/]+(?<!-tests)\\.jar!/).*");

		@Override
		public boolean includes(Location location) {
			return location.matches(MODULE);
		}

	}

}
