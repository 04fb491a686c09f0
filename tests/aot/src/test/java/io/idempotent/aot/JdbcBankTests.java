package io.idempotent.aot;

import org.junit.jupiter.api.Tag;

import java.util.List;

@Tag("slow")
class JdbcBankTests extends BankContract {

	@Override
	List<String> arguments() {
		return List.of("--idempotent.store.type=jdbc", "--idempotent.lock.engines=jdbc");
	}

	@Override
	String storeName() {
		return "records in JdbcIdempotencyStore";
	}

}
