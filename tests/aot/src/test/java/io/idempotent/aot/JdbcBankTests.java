package io.idempotent.aot;

import java.util.List;

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
