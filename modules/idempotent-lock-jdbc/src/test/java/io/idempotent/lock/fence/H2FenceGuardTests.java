package io.idempotent.lock.fence;

import io.idempotent.testing.GuardedDatabase;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * On H2, and the statements for Oracle and SQL Server on H2 in their modes. That these
 * parse and do what they should is tested; not the table hint, the collation, that a
 * duplicate key leaves the transaction alive, nor any error code.
 */
@ParameterizedClass
@EnumSource
class H2FenceGuardTests extends FenceGuardContract {

	@Parameter
	GuardedDatabase.Mode mode;

	@Override
	protected GuardedDatabase database() {
		return GuardedDatabase.shared(this.mode);
	}

	@Override
	protected int statementsOfTheFirstRaise() {
		return 2;
	}

}
