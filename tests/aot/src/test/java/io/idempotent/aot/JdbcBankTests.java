package io.idempotent.aot;

import java.util.List;

import org.junit.jupiter.api.Tag;

@Tag("slow")
class JdbcBankTests extends BankContract {

	@Override
	List<String> arguments() {
		return List.of("--idempotent.store.type=jdbc", "--idempotent.lock.engines=jdbc");
	}

	@Override
	String storeName() {
		return "records in the table 'idempotent_record'";
	}

}
