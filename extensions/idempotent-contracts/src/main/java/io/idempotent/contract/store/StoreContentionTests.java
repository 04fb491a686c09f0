package io.idempotent.contract.store;

import org.junit.jupiter.api.Test;

/** Many threads at once. */
abstract class StoreContentionTests extends StoreTests {

	StoreContentionTests(IdempotencyStoreContract contract) {
		super(contract);
	}

	@Test
	void oneOfManyIsGranted() throws Exception {
		StoreFuzz.assertOneOfManyIsGranted(store());
	}

	@Test
	void noInterleavingRunsAnOperationTwice() throws Exception {
		StoreFuzz.assertNothingRunsTwice(store());
	}

}
