package io.idempotent.programs;

/**
 * What is published for the end of a transaction.
 *
 * @param moment which listener hears of it
 * @param ordered whether it is the one that asks to be the first
 * @param body what that does
 */
record Event(Moment moment, boolean ordered, Runnable body) {

	boolean is(Moment other, boolean first) {
		return this.moment == other && this.ordered == first;
	}

}
