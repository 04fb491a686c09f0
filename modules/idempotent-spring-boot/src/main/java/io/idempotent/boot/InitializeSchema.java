package io.idempotent.boot;

/**
 * When the tables of a database are created.
 */
public enum InitializeSchema {

	/**
	 * At every start, if they are not there.
	 */
	ALWAYS,

	/**
	 * At the start of an application whose database is embedded.
	 */
	EMBEDDED,

	/**
	 * Never: somebody else creates them.
	 */
	NEVER

}
