package io.idempotent.benchmarks.simulation;

/**
 * What is there, and what is submitted to it. The database is partitioned: each database
 * belongs to as many nodes as the others.
 *
 * @param perSecond submissions of all clients
 * @param masters masters of Redis
 * @param databases databases
 * @param statements round trips of a transaction, the commit included
 * @param hot whether all duplicates are of one key
 */
record Plan(double perSecond, int masters, int databases, int statements, boolean hot) {

	/** Nodes of the application. */
	static final int NODES = 100;

	/** Processors of a node, for this library and an empty application. */
	static final int NODE_CORES = 1;

	/** Threads of Tomcat, its default. */
	static final int WORKERS = 200;

	/** Connections of Hikari, its default. */
	static final int CONNECTIONS = 10;

	/** Processors of a database. */
	static final int DATABASE_CORES = 4;

	/** Submissions of a key that was submitted before, as a share of all. */
	static final double DUPLICATES = 0.05;

	/** Between two machines and back, in microseconds: assumed. */
	static final double ROUND_TRIP = 250;

	/** Until a commit is on the disk, in microseconds: assumed. */
	static final double FLUSH = 500;

	/** Processor time of a node: by the table "by-hand", 16 connections, receipts. */
	static final Service FIRST = Service.exponential(261);

	/** Processor time of a node for a duplicate: by the same table. */
	static final Service REPLAY = Service.exponential(64.5);

}
