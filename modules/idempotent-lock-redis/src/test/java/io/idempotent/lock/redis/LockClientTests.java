package io.idempotent.lock.redis;

import io.idempotent.lock.LockUnavailableException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.mockito.BDDMockito.given;
import static org.mockito.Mockito.mock;

class LockClientTests {

	@Test
	@Timeout(10)
	void aClientOfAnotherVersionFailsAtOnceAndIsNamed() {
		LockTransport transport = mock();
		given(transport.id()).willReturn("id");
		LockClient client = new LockClient("redisson", transport, "");
		assertThatExceptionOfType(LockUnavailableException.class).isThrownBy(() -> client.call(() -> {
			throw new NoSuchFieldError("LONG");
		}, "take the lock 'a'"))
			.withMessageContaining("take the lock 'a': NoSuchFieldError: LONG. A class is missing")
			.withMessageEndingWith("Redisson must be 4.7 or newer");
	}

}
