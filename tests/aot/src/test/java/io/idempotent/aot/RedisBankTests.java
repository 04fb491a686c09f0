package io.idempotent.aot;

import java.util.List;

import org.junit.jupiter.api.Tag;

@Tag("slow")
class RedisBankTests extends BankContract {

	@Override
	List<String> arguments() {
		return List.of();
	}

	@Override
	String storeName() {
		return "records in Redis";
	}

}
