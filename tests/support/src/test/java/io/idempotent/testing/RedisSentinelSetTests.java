package io.idempotent.testing;

import java.util.List;

import io.idempotent.embedded.EmbeddedRedis;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

@Tag("slow")
class RedisSentinelSetTests {

	@ParameterizedTest
	@CsvSource({ "1,1", "3,2" })
	void theReplicaTakesThePlaceOfAMasterThatDies(int sentinels, int quorum) {
		try (RedisSentinelSet set = RedisSentinelSet.start(sentinels, quorum)) {
			EmbeddedRedis replica = set.replica();
			RedisTalk.tell(set.master(), "SET greeting hello");
			set.awaitReplication();
			set.killMaster();
			set.awaitFailover();
			assertThat(set.master()).isSameAs(replica);
			assertThat(RedisTalk.ask(set.master(), "GET greeting")).contains("hello");
			RedisTalk.tell(set.master(), "SET greeting again");
		}
	}

	@Test
	void closeLeavesNoProcess() {
		List<Long> before = servers();
		RedisSentinelSet.start(1, 1).close();
		assertThat(servers()).isEqualTo(before);
	}

	private static List<Long> servers() {
		return ProcessHandle.current()
			.descendants()
			.filter((process) -> process.info().command().orElse("").endsWith("redis-server"))
			.map(ProcessHandle::pid)
			.sorted()
			.toList();
	}

}
