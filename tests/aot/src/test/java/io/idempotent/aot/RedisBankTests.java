package io.idempotent.aot;

import org.junit.jupiter.api.Tag;

import java.util.List;

@Tag("slow")
class RedisBankTests extends BankContract {

	@Override
	List<String> arguments() {
		return List.of();
	}

	@Override
	String storeName() {
		return "records in RedisIdempotencyStore";
	}

}
