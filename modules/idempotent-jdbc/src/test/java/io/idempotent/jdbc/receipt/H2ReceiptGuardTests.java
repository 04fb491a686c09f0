package io.idempotent.jdbc.receipt;

import io.idempotent.testing.GuardedDatabase;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * On H2, and the statements for Oracle and SQL Server on H2 in their modes. That these
 * parse and do what they should is tested; not the clock, the table hints, the collation,
 * that a null of bytes has a type, that a duplicate key leaves the transaction alive,
 * that {@code for update} sees what was committed since, nor any error code.
 */
@ParameterizedClass
@EnumSource
class H2ReceiptGuardTests extends ReceiptGuardContract {

	@Parameter
	GuardedDatabase.Mode mode;

	@Override
	protected GuardedDatabase database() {
		return GuardedDatabase.shared(this.mode);
	}

}
