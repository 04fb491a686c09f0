package io.idempotent.redis;

import java.util.ArrayList;
import java.util.List;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class RedisRequirementsTests {

	private final RedisRequirements requirements = new RedisRequirements("the store", List.of("get", "set"));

	@Test
	void aNewServerWithAllCommandsMeetsThem() {
		for (String version : List.of("6.0.0", "7.0.15", "8.0.2", "255.255.255", "10")) {
			assertThat(unmet("redis_version:" + version)).isEmpty();
		}
	}

	@Test
	void anOldServerIsNamed() {
		assertThat(unmet("gcc_version:12.2.0\r\nredis_version:5.0.14\r\n")).singleElement()
			.asString()
			.startsWith("The server (Redis 5.0.14) is older than version 6, the oldest on which the store is tested");
	}

	@Test
	void anotherServerIsNamedByItsOwnVersion() {
		assertThat(unmet("redis_version:7.2.4\r\nvalkey_version:8.1.1\r\n", "get", "set")).singleElement()
			.asString()
			.startsWith("The server (valkey 8.1.1) does not have GET, SET, which the store needs");
		assertThat(unmet("redis_version:3.0.0\r\nother_version:v9\r\n")).singleElement()
			.asString()
			.startsWith("The server (other v9) is older");
	}

	@Test
	void aServerOfUnknownVersionMeetsThem() {
		for (String info : List.of("", "hello", "redis_version:", "redis_version:unknown")) {
			assertThat(unmet(info)).isEmpty();
		}
		assertThat(unmet("", "get")).singleElement().asString().startsWith("The Redis server does not have GET");
	}

	private List<String> unmet(String info, String... missing) {
		List<String> reply = new ArrayList<>(List.of(info));
		reply.addAll(List.of(missing));
		return this.requirements.unmet(reply);
	}

}
