package io.idempotent.http;

import org.jspecify.annotations.Nullable;

/**
 * A handler and a request to it, answered by an application with the starter and by its
 * twin without.
 *
 * @param name what is special about it
 * @param request the request, without a key
 * @param repeat what a repeat of the request gets, or {@code null} if the status tells it
 * @param onlyHttp1 whether there is no such request in HTTP/2
 */
record Twin(String name, Request request, @Nullable Repeat repeat, boolean onlyHttp1) {

	static Twin of(String name, Request request) {
		return new Twin(name, request, null, false);
	}

	Twin repeated(Repeat other) {
		return new Twin(this.name, this.request, other, this.onlyHttp1);
	}

	Twin inHttp1Only() {
		return new Twin(this.name, this.request, this.repeat, true);
	}

	/**
	 * What a repeat gets.
	 * @param first the first answer
	 * @return what was declared; else the stored answer where the first one said that the
	 * operation took effect
	 */
	Repeat repeatAfter(RawResponse first) {
		if (this.repeat != null) {
			return this.repeat;
		}
		return (first.code() < 400) ? Repeat.IS_REPLAYED : Repeat.RUNS;
	}

	@Override
	public String toString() {
		return this.name + " (" + this.request.method() + " " + this.request.path() + ")";
	}

	/**
	 * What a repeat gets.
	 */
	enum Repeat {

		/** The first answer again, and the handler does not run. */
		IS_REPLAYED,

		/** A 409 without the answer, and the handler does not run. */
		IS_TOLD_THAT_IT_IS_DONE,

		/**
		 * A 409 as long as nobody knows what became of the handler, which does not run.
		 */
		IS_TOLD_THAT_IT_RUNS,

		/** What a new request gets: nothing was done, or the handler is not annotated. */
		RUNS

	}

}
