package io.idempotent.versions;

import java.util.concurrent.Callable;

import io.idempotent.lock.DistributedLocked;

import org.springframework.context.annotation.Profile;
import org.springframework.stereotype.Component;

/**
 * Locks on servers that only some tests start.
 */
@Component
@Profile(VersionContract.SERVERS)
class OtherEngines {

	@DistributedLocked(name = "inspection", engine = "zookeeper")
	<T> T inZooKeeper(Callable<T> inspection) throws Exception {
		return inspection.call();
	}

	@DistributedLocked(name = "inspection", engine = "quorum")
	<T> T ofQuorum(Callable<T> inspection) throws Exception {
		return inspection.call();
	}

}
