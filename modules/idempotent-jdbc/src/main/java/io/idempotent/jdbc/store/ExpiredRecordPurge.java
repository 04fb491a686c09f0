package io.idempotent.jdbc.store;

import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

import io.idempotent.store.StoreUnavailableException;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/**
 * Deletes records that have expired: a bounded number, now and then, by whoever has just
 * written one. It keeps up with any load, because more are deleted than were written.
 */
final class ExpiredRecordPurge {

	static final int INTERVAL = 100;

	static final int BATCH = 1000;

	private static final Log logger = LogFactory.getLog(ExpiredRecordPurge.class);

	private final RecordTable records;

	private final AtomicInteger written = new AtomicInteger();

	ExpiredRecordPurge(RecordTable records) {
		this.records = records;
	}

	/**
	 * Counts a record that was written.
	 */
	void written() {
		if (this.written.incrementAndGet() % INTERVAL == 0) {
			purge();
		}
	}

	/**
	 * What was written before stands, whatever becomes of this.
	 */
	private void purge() {
		try {
			this.records.purge("delete expired records", Map.of("limit", BATCH));
		}
		catch (StoreUnavailableException ex) {
			logger.warn("Expired records were not deleted; the next attempt follows after " + INTERVAL + " more", ex);
		}
	}

}
