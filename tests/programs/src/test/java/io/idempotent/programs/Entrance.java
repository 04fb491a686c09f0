package io.idempotent.programs;

/**
 * How the calls of one key enter the library. Each is an operation of its own.
 */
enum Entrance {

	/** A method without a transaction of its own. */
	PLAIN,

	/** Methods with each propagation. */
	REQUIRED, REQUIRES_NEW, NESTED, SUPPORTS, NOT_SUPPORTED, MANDATORY, NEVER,

	/** A method with a read-only transaction. */
	READ_ONLY,

	/** A method with a transaction on the database that is not guarded. */
	OTHER,

	/** A method without a transaction that refuses to run after an unknown outcome. */
	REJECTING,

	/** A callback of the template. */
	TEMPLATE,

	/** A message listener without a transaction of its own. */
	LISTENER,

	/** A message listener with a transaction. */
	LISTENER_REQUIRED,

	/** A request, outside of transactions. */
	HTTP;

	/**
	 * Whether Spring may refuse its transaction before its body runs. The receipt is
	 * looked up then.
	 */
	boolean mayFailBeforeItsBody() {
		return this == MANDATORY || this == NEVER;
	}

	/**
	 * Whether a repeat is acknowledged rather than answered.
	 * @return whether there is no result
	 */
	boolean isVoid() {
		return this == LISTENER || this == LISTENER_REQUIRED;
	}

	/**
	 * Whether the method has a transaction attribute.
	 * @return whether there is a status inside of it
	 */
	boolean isTransactional() {
		return this != PLAIN && this != REJECTING && this != TEMPLATE && this != LISTENER && this != HTTP;
	}

	/**
	 * The name of the operation.
	 * @return the name
	 */
	String operation() {
		return "programs." + name();
	}

}
