package io.idempotent.switching;

import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

import io.idempotent.testing.FaultyProxy;

/**
 * What happens to a node.
 */
enum Fault {

	/** It is killed, and started again soon. */
	KILL {
		@Override
		void happen(NodeProcess node, Random random) throws Exception {
			node.kill();
			sleep(random.nextInt(500));
			node.start();
		}
	},

	/** It is paused for longer than all leases. */
	PAUSE {
		@Override
		void happen(NodeProcess node, Random random) throws Exception {
			node.pause(random.nextInt(1800, 3000));
		}
	},

	/** It does not reach the authority. */
	AUTHORITY_CUT {
		@Override
		void happen(NodeProcess node, Random random) throws Exception {
			cut(List.of(node.toAuthority()), random);
		}
	},

	/**
	 * It does not reach the authority for so long that the others switch without it, even
	 * on a busy machine.
	 */
	LONG_AUTHORITY_CUT {
		@Override
		void happen(NodeProcess node, Random random) throws Exception {
			cut(List.of(node.toAuthority()), random, random.nextInt(5000, 8000));
		}
	},

	/** It does not reach one of the engines. */
	ENGINE_CUT {
		@Override
		void happen(NodeProcess node, Random random) throws Exception {
			cut(List.of(node.to(ENGINES.get(random.nextInt(ENGINES.size())))), random);
		}
	},

	/** It reaches nothing. */
	ALL_CUT {
		@Override
		void happen(NodeProcess node, Random random) throws Exception {
			cut(node.toAll(), random);
		}
	};

	private static final List<Engines> ENGINES = List.of(Engines.values());

	/**
	 * Lets it happen, and returns when it is over.
	 * @param node the node
	 * @param random decides on the details
	 */
	abstract void happen(NodeProcess node, Random random) throws Exception;

	private static void cut(List<FaultyProxy> network, Random random) throws InterruptedException {
		cut(network, random, random.nextInt(500, 3500));
	}

	/** Half of the time connections break, else nothing arrives until it is over. */
	private static void cut(List<FaultyProxy> network, Random random, long millis) throws InterruptedException {
		boolean breaks = random.nextBoolean();
		Consumer<FaultyProxy> begin = breaks ? FaultyProxy::partition : FaultyProxy::freeze;
		Consumer<FaultyProxy> end = breaks ? FaultyProxy::heal : FaultyProxy::thaw;
		network.forEach(begin);
		sleep(millis);
		network.forEach(end);
	}

	private static void sleep(long millis) throws InterruptedException {
		TimeUnit.MILLISECONDS.sleep(millis);
	}

}
