package io.idempotent;

import java.io.ObjectInputStream;
import java.util.Arrays;
import java.util.Date;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.domain.JavaPackage;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.core.importer.Location;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import org.jspecify.annotations.NullMarked;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.simpleName;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.fields;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.GeneralCodingRules.NO_CLASSES_SHOULD_ACCESS_STANDARD_STREAMS;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * The walls of the house.
 */
@AnalyzeClasses(packages = "io.idempotent", importOptions = { ImportOption.DoNotIncludeTests.class,
		ImportOption.DoNotIncludeJars.class, ArchitectureTests.OnlyThisModule.class })
class ArchitectureTests {

	private static final String[] ENGINES = { "redis", "local", "cache", "jdbc" };

	private static final String[] LOCK_ENGINES = { "redisson", "zookeeper", "jdbc", "local" };

	@ArchTest
	static final ArchRule theCoreSeesNeitherWebNorEngines = noClasses().that()
		.resideInAnyPackage("io.idempotent", "io.idempotent.store")
		.should()
		.dependOnClassesThat()
		.resideInAnyPackage("io.idempotent.store.*..", "io.idempotent.web..", "io.idempotent.aop..",
				"io.idempotent.call..", "io.idempotent.json..", "io.idempotent.guard..",
				"io.idempotent.autoconfigure..")
		.because("the state machine is written once, for every entrance and every engine");

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
		.resideInAnyPackage("io.idempotent", "io.idempotent.store")
		.should()
		.dependOnClassesThat(resideInAnyPackage("org.springframework..", "jakarta..", "org.redisson..", "io.lettuce..",
				"com.github.benmanes..", "tools.jackson..", "com.fasterxml..")
			.and(DescribedPredicate.not(resideInAnyPackage("org.springframework.util").and(simpleName("Assert"))))
			.and(DescribedPredicate.not(resideInAnyPackage("org.springframework.core.retry"))))
		.because("whoever uses the core alone, in a listener or a job, brings neither a web server nor an engine; "
				+ "what is allowed of Spring is in spring-core");

	@ArchTest
	static void noEngineSeesAnother(JavaClasses classes) {
		for (String engine : ENGINES) {
			String[] others = Arrays.stream(ENGINES)
				.filter((other) -> !other.equals(engine))
				.map((other) -> "io.idempotent.store." + other + "..")
				.toArray(String[]::new);
			noClasses().that()
				.resideInAPackage("io.idempotent.store." + engine + "..")
				.should()
				.dependOnClassesThat()
				.resideInAnyPackage(others)
				.allowEmptyShould(true)
				.because("an engine is replaced or left out without touching another")
				.check(classes);
		}
	}

	@ArchTest
	static final ArchRule theLockCoreSeesNeitherEnginesNorTheOtherHalf = noClasses().that()
		.resideInAnyPackage("io.idempotent.lock", "io.idempotent.lock.engine")
		.should()
		.dependOnClassesThat()
		.resideInAnyPackage("io.idempotent", "io.idempotent.store..", "io.idempotent.lock.engine.*..",
				"io.idempotent.guard..", "io.idempotent.web..", "io.idempotent.aop..", "io.idempotent.autoconfigure..")
		.because("the life of a lease is written once, for every engine, and locks stand without idempotency");

	@ArchTest
	static final ArchRule theLockCoreNeedsNoFramework = noClasses().that()
		.resideInAnyPackage("io.idempotent.lock", "io.idempotent.lock.engine")
		.should()
		.dependOnClassesThat()
		.resideInAnyPackage("org.springframework..", "jakarta..", "javax..", "java.sql..", "org.redisson..",
				"org.apache.curator..", "org.apache.zookeeper..")
		.because("whoever locks in a job or a tool brings neither a framework nor an engine that is not used");

	@ArchTest
	static final ArchRule theLockApiDoesNotSeeItsMachinery = noClasses().that()
		.resideInAPackage("io.idempotent.lock")
		.should()
		.dependOnClassesThat()
		.resideInAPackage("io.idempotent.lock.engine..")
		.because("what users write against outlives how it is done");

	@ArchTest
	static void noLockEngineSeesAnother(JavaClasses classes) {
		for (String engine : LOCK_ENGINES) {
			String[] others = Arrays.stream(LOCK_ENGINES)
				.filter((other) -> !other.equals(engine))
				.map((other) -> "io.idempotent.lock.engine." + other + "..")
				.toArray(String[]::new);
			noClasses().that()
				.resideInAPackage("io.idempotent.lock.engine." + engine + "..")
				.should()
				.dependOnClassesThat()
				.resideInAnyPackage(others)
				.allowEmptyShould(true)
				.because("an engine is replaced or left out without touching another")
				.check(classes);
		}
	}

	@ArchTest
	static final ArchRule lockEnginesSeeOnlyTheLockCore = noClasses().that()
		.resideInAPackage("io.idempotent.lock.engine.*..")
		.should()
		.dependOnClassesThat()
		.resideInAnyPackage("io.idempotent", "io.idempotent.store..", "io.idempotent.web..", "io.idempotent.aop..",
				"io.idempotent.autoconfigure..")
		.because("an engine offers primitives and knows nothing of who asks for them");

	@ArchTest
	static final ArchRule enginesSeeOnlyTheCore = noClasses().that()
		.resideInAPackage("io.idempotent.store.*..")
		.should()
		.dependOnClassesThat()
		.resideInAnyPackage("io.idempotent.web..", "io.idempotent.aop..", "io.idempotent.autoconfigure..")
		.because("an engine offers primitives and knows nothing of who asks for them");

	@ArchTest
	static final ArchRule guardsSeeNeitherEnginesNorEntrances = noClasses().that()
		.resideInAPackage("io.idempotent.guard..")
		.should()
		.dependOnClassesThat()
		.resideInAnyPackage("io.idempotent.store.*..", "io.idempotent.lock.engine..", "io.idempotent.web..",
				"io.idempotent.aop..", "io.idempotent.autoconfigure..")
		.because("a guard works with every engine, for every entrance");

	@ArchTest
	static final ArchRule entrancesSeeNoEngine = noClasses().that()
		.resideInAnyPackage("io.idempotent.web..", "io.idempotent.call..", "io.idempotent.aop..")
		.should()
		.dependOnClassesThat()
		.resideInAnyPackage("io.idempotent.store.*..", "org.springframework.data.redis..", "org.redisson..")
		.because("an entrance works with every engine");

	@ArchTest
	static final ArchRule nothingDependsOnItsConfiguration = noClasses().that()
		.resideOutsideOfPackage("io.idempotent.autoconfigure..")
		.should()
		.dependOnClassesThat()
		.resideInAPackage("io.idempotent.autoconfigure..")
		.because("everything works without auto-configuration, wired by hand");

	@ArchTest
	static final ArchRule packagesFormNoCycles = slices().matching("io.(**)")
		.should()
		.beFreeOfCycles()
		.because("a package in a cycle cannot be understood or tested alone");

	@ArchTest
	static void anEnginePackageExportsOneType(JavaClasses classes) {
		JavaPackage store = classes.getPackage("io.idempotent.store");
		assertThat(store.getSubpackages()).isNotEmpty()
			.allSatisfy((engine) -> assertThat(engine.getClasses()).as(engine.getName())
				.filteredOn((type) -> type.isTopLevelClass() && type.getModifiers().contains(JavaModifier.PUBLIC))
				.as("public types of " + engine.getName() + ", because the rest may change without notice")
				.hasSize(1));
	}

	@ArchTest
	static void aLockEnginePackageExportsItsEngines(JavaClasses classes) {
		JavaPackage engines = classes.getPackage("io.idempotent.lock.engine");
		assertThat(engines.getSubpackages()).isNotEmpty()
			.allSatisfy((engine) -> assertThat(engine.getClasses()).as(engine.getName())
				.filteredOn((type) -> type.isTopLevelClass() && type.getModifiers().contains(JavaModifier.PUBLIC))
				.as("public types of " + engine.getName() + ", because the rest may change without notice")
				.hasSize(engine.getRelativeName().equals("jdbc") ? 2 : 1));
	}

	@ArchTest
	static final ArchRule thereIsNoStaticState = fields().that()
		.areStatic()
		.should()
		.beFinal()
		.because("two applications in one JVM share nothing");

	@ArchTest
	static final ArchRule nothingIsDeserialized = noClasses().should()
		.dependOnClassesThat()
		.areAssignableTo(ObjectInputStream.class)
		.orShould()
		.dependOnClassesThat()
		.haveNameMatching("org\\.springframework\\.(core\\.serializer|data\\.redis\\.serializer\\.Jdk).*")
		.because("stored data comes from outside, and Java deserialization runs what it is told to");

	@ArchTest
	static final ArchRule nothingIsPrinted = NO_CLASSES_SHOULD_ACCESS_STANDARD_STREAMS
		.because("a library logs, and leaves the console to the application");

	@ArchTest
	static final ArchRule noWallClockIsRead = noClasses().should()
		.callMethod(System.class, "currentTimeMillis")
		.orShould()
		.dependOnClassesThat()
		.areAssignableTo(Date.class)
		.because("the wall clocks of two machines disagree and jump");

	@ArchTest
	static final ArchRule nothingSleeps = noClasses().should()
		.callMethod(Thread.class, "sleep", long.class)
		.because("a thread that sleeps is neither woken nor shut down in time");

	@ArchTest
	static final ArchRule caffeineIsOptional = noClasses().that()
		.resideOutsideOfPackages("io.idempotent.store.cache..", "io.idempotent.autoconfigure..")
		.should()
		.dependOnClassesThat()
		.resideInAPackage("com.github.benmanes..")
		.because("an application without Caffeine must start, where a condition that names it finds it missing");

	@ArchTest
	static final ArchRule micrometerIsOptional = noClasses().that()
		.resideOutsideOfPackage("io.idempotent.autoconfigure..")
		.should()
		.dependOnClassesThat()
		.resideInAPackage("io.micrometer..")
		.because("an application without Micrometer must start, where a condition that names it finds it missing");

	@ArchTest
	static final ArchRule lettuceIsSeenInOneClass = noClasses().that()
		.haveNameNotMatching("io\\.idempotent\\.store\\.redis\\.LettuceCommands(\\$.*)?")
		.should()
		.dependOnClassesThat()
		.resideInAPackage("io.lettuce..")
		.because("an application with another client of Redis must start");

	@ArchTest
	static final ArchRule springSecurityIsOptional = noClasses().that()
		.haveNameNotMatching("io\\.idempotent\\.web\\.(MethodSecurity|CsrfParameter)(\\$.*)?")
		.should()
		.dependOnClassesThat()
		.resideInAPackage("org.springframework.security..")
		.because("an application without Spring Security must start");

	@ArchTest
	static final ArchRule theServletApiAndSpringMvcAreOptional = noClasses().that()
		.resideOutsideOfPackages("io.idempotent.web..", "io.idempotent.autoconfigure..")
		.should()
		.dependOnClassesThat()
		.resideInAnyPackage("jakarta.servlet..", "org.springframework.web..", "org.springframework.http..")
		.because("an application without a web server must start");

	@ArchTest
	static final ArchRule whatKeepsRowsIsSeenByItsUsersOnly = noClasses().that()
		.resideOutsideOfPackages("io.idempotent.jdbc", "io.idempotent.store.jdbc", "io.idempotent.lock.engine.jdbc",
				"io.idempotent.guard", "io.idempotent.autoconfigure")
		.should()
		.dependOnClassesThat()
		.resideInAPackage("io.idempotent.jdbc")
		.because("it is internal, and public only because several packages share it");

	@ArchTest
	static final ArchRule loggingKnowsNothingOfItsUsers = noClasses().that()
		.resideInAPackage("io.idempotent.logging")
		.should()
		.dependOnClassesThat(resideInAnyPackage("io.idempotent..", "org.springframework..")
			.and(DescribedPredicate.not(resideInAnyPackage("io.idempotent.logging"))))
		.because("both halves and every engine print durations and outages by it");

	@ArchTest
	static final ArchRule itKnowsNothingOfThoseWhoKeepRows = noClasses().that()
		.resideInAPackage("io.idempotent.jdbc")
		.should()
		.dependOnClassesThat()
		.resideInAnyPackage("io.idempotent", "io.idempotent.store..", "io.idempotent.lock..", "io.idempotent.web..",
				"io.idempotent.aop..", "io.idempotent.autoconfigure..")
		.because("it runs statements, for whoever keeps rows");

	@ArchTest
	static final ArchRule noEntranceSeesTheOther = noClasses().that()
		.resideInAPackage("io.idempotent.call..")
		.should()
		.dependOnClassesThat()
		.resideInAnyPackage("io.idempotent.web..", "io.idempotent.lock..")
		.because("methods of beans are idempotent without a web server and without locks");

	@ArchTest
	static final ArchRule databindIsOptional = noClasses().that()
		.haveNameNotMatching("io\\.idempotent\\.call\\.(JacksonCallJson|StorableTypes)(\\$.*)?")
		.and()
		.resideOutsideOfPackage("io.idempotent.autoconfigure..")
		.should()
		.dependOnClassesThat()
		.resideInAPackage("tools.jackson.databind..")
		.because("whoever stores no results needs the streaming core alone");

	@ArchTest
	static final ArchRule redisIsSeenInItsEnginesAndInTheConfiguration = noClasses().that()
		.resideOutsideOfPackages("io.idempotent.store.redis..", "io.idempotent.lock.engine.redisson..",
				"io.idempotent.autoconfigure..")
		.should()
		.dependOnClassesThat()
		.resideInAnyPackage("org.springframework.data..", "org.redisson..", "io.lettuce..")
		.because("another engine must do without Redis");

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
		.should()
		.beAssignableTo(RuntimeException.class)
		.because("nobody who calls an operation is made to catch what it cannot handle");

	/**
	 * Leaves out what is on the class path of the tests only.
	 */
	static final class OnlyThisModule implements ImportOption {

		@Override
		public boolean includes(Location location) {
			return !location.contains("/embedded-redis/");
		}

	}

}
