package io.idempotent.calls;

/**
 * Where a connection is cut.
 *
 * @param direction what is counted
 * @param bytes how many bytes of it still pass
 * @param times how many attempts are cut there
 */
record Cut(Direction direction, int bytes, int times) {

	static final Cut NONE = new Cut(Direction.REQUEST, Integer.MAX_VALUE, 0);

	/**
	 * A direction.
	 */
	enum Direction {

		/**
		 * A connection is closed as soon as it is made, and those that wait are closed.
		 */
		CONNECTION,

		REQUEST,

		RESPONSE

	}

}
