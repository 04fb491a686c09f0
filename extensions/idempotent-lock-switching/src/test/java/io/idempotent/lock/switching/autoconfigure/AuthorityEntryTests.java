package io.idempotent.lock.switching.autoconfigure;

import java.util.List;

import io.idempotent.boot.settings.InvalidConfigurationException;
import io.idempotent.lock.engine.LockEngine;
import io.idempotent.lock.engine.SharedEntry;
import io.idempotent.lock.engine.SharedEntry.Value;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.mockito.BDDMockito.given;
import static org.mockito.Mockito.mock;

/**
 * The text in which nodes agree, read by a node that does not switch.
 */
@ExtendWith(OutputCaptureExtension.class)
class AuthorityEntryTests {

	private static final String ENTRY = """
			engine=redisson
			epoch=3
			member.1f.beat=7
			member.1f.confirmed=0
			member.1f.description=shop-1
			member.1f.engines=redisson,jdbc
			member.1f.failing=
			member.1f.holds=2
			member.1f.lease=30000
			member.1f.recovered=
			switch.id=5
			switch.reason=requested
			switch.settling=false
			switch.target=jdbc
			""";

	private static final String UNKNOWN = "It is not known whether other nodes agree on a lock engine elsewhere";

	@Test
	void anEntryThatIsRenewedFailsTheStart() {
		assertThatExceptionOfType(InvalidConfigurationException.class)
			.isThrownBy(() -> check(ENTRY, ENTRY.replace("beat=7", "beat=8")))
			.withMessageContaining(
					"other nodes agree on the lock engine in 'jdbc' (now 'redisson', epoch 3: [shop-1])");
	}

	@Test
	void anEntryInAnotherFormatCausesAWarning(CapturedOutput output) {
		String entry = ENTRY.replace("lease=30000", "lease=30s");
		check(entry, entry);
		assertThat(output).containsOnlyOnce(UNKNOWN + ": The entry that names the lock engine in force cannot be read")
			.contains("WARN");
	}

	@Test
	void anEntryThatAllNodesHaveLeftIsNotLogged(CapturedOutput output) {
		String entry = ENTRY.replaceAll("member.*\n", "");
		check(entry, entry);
		assertThat(output).doesNotContain(UNKNOWN);
	}

	private static void check(String entry, String later) {
		SharedEntry store = mock();
		given(store.read()).willReturn(new Value(1, entry), new Value(1, entry), new Value(2, later));
		LockEngine engine = mock();
		given(engine.name()).willReturn("jdbc");
		given(engine.sharedEntry("entry")).willReturn(store);
		AuthorityCheck.requireNoOther(null, List.of(engine), "entry");
	}

}
