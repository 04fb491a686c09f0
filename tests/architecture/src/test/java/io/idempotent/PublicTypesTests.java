package io.idempotent;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import io.idempotent.support.StartUpException;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Counts the public top-level types by kind. Types that are public only for other modules
 * of this library are bounded, so that a new one needs a reason.
 */
@AnalyzeClasses(packages = "io.idempotent", importOptions = ArchitectureTests.PublishedModules.class)
class PublicTypesTests {

	private static final int MAX_INTERNAL = 73;

	/** Packages whose public types users write against. */
	private static final Set<String> API_PACKAGES = Set.of("io.idempotent", "io.idempotent.lock",
			"io.idempotent.lock.administration", "io.idempotent.lock.observation", "io.idempotent.function",
			"io.idempotent.administration", "io.idempotent.observation", "io.idempotent.client", "io.idempotent.steps");

	/** Types in other packages that users write against, or meet when a start fails. */
	private static final Set<String> API_TYPES = Set.of("io.idempotent.webmvc.Caller",
			"io.idempotent.webmvc.CallerResolver", "io.idempotent.webmvc.IdempotencyTokens",
			"io.idempotent.webmvc.OutcomeClassifier", "io.idempotent.webmvc.ProblemRenderer",
			"io.idempotent.webmvc.ReplayAuthorizer", "io.idempotent.method.IdempotentBatches",
			"io.idempotent.method.IdempotentBatch", "io.idempotent.method.BatchItemException",
			"io.idempotent.lock.fence.FenceGuard", "io.idempotent.lock.switching.EngineSwitching",
			"io.idempotent.lock.switching.EngineStatus", "io.idempotent.lock.switching.EngineSwitchException",
			"io.idempotent.lock.switching.WhenAuthorityAway", "io.idempotent.lock.integration.DistributedLockRegistry",
			"io.idempotent.support.StartUpException", "io.idempotent.boot.settings.InvalidConfigurationException",
			"io.idempotent.boot.lock.LockDataSource", "io.idempotent.boot.lock.RedissonConfigCustomizer");

	/** Types that a store, a lock engine or another replaceable bean is written with. */
	private static final Set<String> SPI_TYPES = Set.of("io.idempotent.submission.receipt.Receipts",
			"io.idempotent.submission.receipt.AttemptReceipt", "io.idempotent.submission.event.SubmissionObserver",
			"io.idempotent.transaction.TransactionOutcome", "io.idempotent.submission.policy.OperationPolicies",
			"io.idempotent.submission.policy.OperationPolicy", "io.idempotent.submission.policy.DeclaredPolicy",
			"io.idempotent.submission.policy.ComparedFields", "io.idempotent.method.json.CallJson",
			"io.idempotent.method.MessageIdentity", "io.idempotent.lock.engine.LockEngine",
			"io.idempotent.lock.engine.LockGrant", "io.idempotent.lock.engine.LockRequest",
			"io.idempotent.lock.engine.LockState", "io.idempotent.lock.engine.LockHolder",
			"io.idempotent.lock.engine.ConnectionObserver", "io.idempotent.lock.engine.InterruptibleWait",
			"io.idempotent.lock.engine.SharedEntry", "io.idempotent.lock.switching.EngineHealth",
			"io.idempotent.boot.lock.ConditionalOnLockEngine");

	@ArchTest
	static void fewTypesArePublicOnlyForOtherModules(JavaClasses classes) {
		Map<Kind, Set<String>> kinds = classes.stream()
			.filter((type) -> type.isTopLevelClass() && type.getModifiers().contains(JavaModifier.PUBLIC))
			// Nobody outside of this library is meant to see them.
			.filter((type) -> !type.getPackageName().contains(".internal"))
			.collect(Collectors.groupingBy(PublicTypesTests::kind, TreeMap::new,
					Collectors.mapping(JavaClass::getName, Collectors.toCollection(TreeSet::new))));
		assertThat(kinds.get(Kind.INTERNAL))
			.as("public types that are neither API nor SPI nor auto-configuration: make one package-private, or merge two; "
					+ "public types by kind: %s", counts(kinds))
			.hasSizeLessThanOrEqualTo(MAX_INTERNAL);
	}

	@ArchTest
	static void theListedTypesExist(JavaClasses classes) {
		assertThat(List.of(API_TYPES, SPI_TYPES)).allSatisfy(
				(names) -> assertThat(names).allMatch((name) -> classes.contain(name), "is a type of this library"));
	}

	private static Kind kind(JavaClass type) {
		String name = type.getPackageName();
		if (name.startsWith("io.idempotent.test") || name.startsWith("io.idempotent.contract")
				|| name.equals("io.idempotent.conformance")) {
			return Kind.TEST;
		}
		if (API_PACKAGES.contains(name) || API_TYPES.contains(type.getName())) {
			return Kind.API;
		}
		if (name.equals("io.idempotent.store") || SPI_TYPES.contains(type.getName())) {
			return Kind.SPI;
		}
		if (name.startsWith("io.idempotent.boot") || name.endsWith(".autoconfigure")
				|| name.equals("io.idempotent.openapi") || name.equals("io.idempotent.graphql")) {
			return Kind.AUTO_CONFIGURATION;
		}
		return implementsPublicInterface(type) ? Kind.IMPLEMENTATION : Kind.INTERNAL;
	}

	/** Such as a store or a lock engine, which an application may define as a bean. */
	private static boolean implementsPublicInterface(JavaClass type) {
		return type.getAllRawInterfaces()
			.stream()
			.map(PublicTypesTests::kindOfInterface)
			.anyMatch(Set.of(Kind.API, Kind.SPI)::contains);
	}

	private static Kind kindOfInterface(JavaClass type) {
		return type.getPackageName().startsWith("io.idempotent") ? kind(type) : Kind.INTERNAL;
	}

	private static Map<Kind, Integer> counts(Map<Kind, Set<String>> kinds) {
		return kinds.entrySet()
			.stream()
			.collect(Collectors.toMap(Map.Entry::getKey, (entry) -> entry.getValue().size(), Integer::sum,
					TreeMap::new));
	}

	private enum Kind {

		API, SPI, IMPLEMENTATION, AUTO_CONFIGURATION, TEST, INTERNAL

	}

}
