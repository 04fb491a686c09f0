package io.idempotent.switching;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

import io.idempotent.switching.Judge.Kind;
import io.idempotent.switching.Judge.Violation;
import io.idempotent.switching.NodeArguments.Manner;
import io.idempotent.switching.SwitchRun.Goal;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Three nodes switch between four engines, on real servers, while nodes are killed,
 * paused and cut off and servers are stopped. No lock may have two holders, whatever
 * their engines. All of it, 200 switches with each of two authorities:
 *
 * <pre>
 * mvn -Pswitching -pl tests/switching -am test
 * </pre>
 *
 * The logs stay in {@code target/switching}.
 */
@Tag("slow")
@Timeout(3600)
@EnabledOnOs(value = OS.LINUX, disabledReason = "The clock must be the same for all processes")
class SwitchFaultTests {

	private static final int SWITCHES = Integer.getInteger("idempotent.switching.switches", 8);

	private static final String AUTHORITIES = System.getProperty("idempotent.switching.authorities", "JDBC");

	private static final long SEED = Long.getLong("idempotent.switching.seed", System.nanoTime());

	private static Servers servers;

	/** Another one where a failed test is repeated: a node never continues a log. */
	private static Path logs;

	@BeforeAll
	static void startServers() {
		System.out.println("-Didempotent.switching.seed=" + SEED + " -Didempotent.switching.switches=" + SWITCHES
				+ " -Didempotent.switching.authorities=" + AUTHORITIES);
		servers = new Servers();
		logs = Path.of("target", "switching", SEED + "-" + System.currentTimeMillis());
	}

	@AfterAll
	static void stopServers() {
		if (servers != null) {
			servers.close();
		}
	}

	static Stream<Engines> authorities() {
		return Arrays.stream(AUTHORITIES.split(",")).map(Engines::valueOf);
	}

	@ParameterizedTest
	@MethodSource("authorities")
	void noLockHasTwoHolders(Engines authority) throws Exception {
		SwitchRun.Findings found = new SwitchRun(servers, authority, logs.resolve(authority.name()), SEED).run(
				Goal.switches(SWITCHES, 10 * SWITCHES), Duration.ofSeconds(60 + 6L * SWITCHES), List.of(Fault.values()),
				List.of(Manner.CORRECT));
		assertThat(found.violations()).as("seed %d, logs in %s", SEED, logs).isEmpty();
		assertThat(found.switches()).isGreaterThanOrEqualTo(SWITCHES);
		assertThat(found.sections()).isGreaterThan(10 * SWITCHES);
	}

	/**
	 * The preferred engine is stopped and started again. The nodes leave it and return by
	 * what their circuit breakers see, while single nodes fail.
	 */
	@Test
	@EnabledIfSystemProperty(named = "idempotent.switching.switches", matches = "\\d{3,}",
			disabledReason = "It takes minutes")
	void nodesLeaveAnEngineThatIsDownAndReturn() throws Exception {
		SwitchRun.Findings found = new SwitchRun(servers, Engines.JDBC, logs.resolve("automatic"), SEED).run(
				Goal.switches(8, 0), Duration.ofMinutes(6), List.of(Fault.KILL, Fault.PAUSE, Fault.AUTHORITY_CUT),
				List.of(Manner.AUTOMATIC));
		assertThat(found.violations()).as("seed %d, logs in %s", SEED, logs).isEmpty();
		assertThat(found.switches()).isGreaterThanOrEqualTo(8);
	}

	/**
	 * What a run finds if one of the nodes does not follow the others.
	 */
	@Test
	void aNodeThatIgnoresEpochsIsFound() throws Exception {
		assertFound("ignoring", List.of(Manner.IGNORES_EPOCHS, Manner.CORRECT, Manner.CORRECT), Fault.PAUSE,
				List.of(Kind.TWO_HOLDERS, Kind.TOKEN_NOT_GREATER, Kind.FORMER_EPOCH));
	}

	/**
	 * What a run finds with the setting of which the documentation warns.
	 */
	@Test
	void nodesThatKeepGrantingWithoutTheAuthorityAreFound() throws Exception {
		assertFound("keeping", List.of(Manner.KEEPS_GRANTING), Fault.LONG_AUTHORITY_CUT,
				List.of(Kind.TWO_HOLDERS, Kind.NOT_DRAINED));
	}

	private static void assertFound(String name, List<Manner> manners, Fault fault, List<Kind> kinds) throws Exception {
		SwitchRun.Findings found = new SwitchRun(servers, Engines.JDBC, logs.resolve(name), SEED)
			.run(Goal.violations(kinds), Duration.ofMinutes(3), List.of(fault), manners);
		assertThat(found.violations()).extracting(Violation::kind).containsAll(kinds);
	}

}
