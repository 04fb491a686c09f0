package io.idempotent.lock.redis;

import io.idempotent.contract.lock.SharedEntryContract;
import io.idempotent.embedded.EmbeddedRedis;
import io.idempotent.lock.LockUnavailableException;
import io.idempotent.lock.engine.SharedEntry;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.redisson.client.codec.StringCodec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class RedissonSharedEntryTests extends SharedEntryContract {

	@AutoClose
	private static TestRedisson clients;

	@BeforeAll
	static void start() {
		clients = TestRedisson.of(EmbeddedRedis.start());
	}

	TestRedisson clients() {
		return clients;
	}

	@Override
	protected SharedEntry open(String name) {
		return clients().node().sharedEntry(name);
	}

	@Test
	void anEntryThatWasLostIsNotReplacedByALateWrite() {
		SharedEntry store = open("lost");
		store.write(0, "first");
		long version = store.read().version();
		clients().anyClient().getKeys().flushdb();
		store.write(0, "second");
		assertThat(store.mayForget()).isTrue();
		assertThat(store.read().version()).isGreaterThan(version);
		assertThat(store.write(version, "late")).isFalse();
	}

	@Test
	void aForeignKeyIsNoEntry() {
		SharedEntry store = open("lock:of:another");
		store.write(0, "first");
		clients().anyClient().getBucket("foreign", StringCodec.INSTANCE).set("value");
		assertThatExceptionOfType(LockUnavailableException.class).isThrownBy(() -> open("foreign").read())
			.withMessageContaining("another program has written it");
	}

}
