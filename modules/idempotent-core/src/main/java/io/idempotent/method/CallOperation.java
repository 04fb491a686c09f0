package io.idempotent.method;

import io.idempotent.engine.OperationPolicy;

/**
 * An operation that is a call.
 *
 * @param policy how it is treated
 * @param results how its results are stored
 * @param acknowledges whether the duplicate of a finished call returns normally even
 * where there is no result to return: that of a message, which would be delivered again
 */
record CallOperation(OperationPolicy policy, ResultCodec results, boolean acknowledges) {

	/**
	 * The same operation, whose result may be rebuilt.
	 * @return the operation
	 */
	CallOperation recovering() {
		return new CallOperation(this.policy.recovering(), this.results, this.acknowledges);
	}

	String name() {
		return this.policy.operation();
	}

}
