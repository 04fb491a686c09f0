package io.idempotent.http;

import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Has the pair of applications on one of the containers.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class PairContract {

	Pair pair;

	@RegisterExtension
	final BeforeAllCallback start = (context) -> this.pair = Pair.of(container(), context);

	abstract Server.Container container();

}
