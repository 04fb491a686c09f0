package io.idempotent.jdbc.store;

import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

import io.idempotent.store.StoreUnavailableException;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/**
 * Deletes a bounded number of expired records from time to time, on a thread that has
 * just written one. It keeps up with any load, because it deletes more than were written.
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
	 * Never throws, since the record has been written.
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
