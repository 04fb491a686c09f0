package io.idempotent.lock.fence;

import java.util.stream.Stream;

import io.idempotent.testing.GuardedDatabase;
import io.idempotent.testing.TestMySql;
import io.idempotent.testing.WithMySql;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Also with a driver that does not count rows which stay as they are.
 */
@WithMySql
@ParameterizedClass
@MethodSource("databases")
class MySqlFenceGuardTests extends FenceGuardContract {

	@Parameter
	GuardedDatabase tested;

	static Stream<GuardedDatabase> databases() {
		return Stream.of(false, true)
			.map((affectedRows) -> GuardedDatabase.mySql(TestMySql.newDatabase() + "&useAffectedRows=" + affectedRows));
	}

	@Override
	protected GuardedDatabase database() {
		return this.tested;
	}

}
