package io.idempotent.lock.switching;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

import io.idempotent.lock.LockUnavailableException;
import io.idempotent.lock.engine.SharedEntry;
import io.idempotent.lock.switching.EpochRules.SwitchCommand;
import org.jspecify.annotations.Nullable;

/**
 * Three nodes that take one lock on two engines and switch between these, with a clock
 * and faults that a random generator chooses: nodes that stand still anywhere, crash or
 * are cut off, replies that are lost, a register that forgets.
 */
final class SwitchSimulation {

	private static final List<String> ENGINES = List.of("first", "second");

	private static final Duration LEASE = Duration.ofSeconds(3);

	private static final long ENGINE_LEASE = Duration.ofSeconds(5).toNanos();

	private static final int NODES = 3;

	private final SwitchSettings settings = new SwitchSettings(LEASE, Duration.ofSeconds(20), Duration.ofSeconds(5),
			WhenAuthorityAway.STOP_GRANTING);

	private final Random random;

	private final boolean mayForget;

	private final Fault planted;

	private final MemorySharedEntry store;

	private final List<Node> nodes = new ArrayList<>();

	private final Map<String, EngineLease> engines = new HashMap<>();

	private final Map<String, Long> engineTokens = new HashMap<>();

	private long now = 1;

	private int depth;

	private boolean faults = true;

	private long lastToken;

	private long tokensChecked;

	private long highestEpoch;

	SwitchSimulation(long seed, boolean mayForget, Fault planted) {
		this.random = new Random(seed);
		this.mayForget = mayForget;
		this.planted = planted;
		this.store = new MemorySharedEntry(mayForget);
		for (int i = 0; i < NODES; i++) {
			this.nodes.add(new Node());
		}
	}

	/**
	 * Runs the simulation.
	 * @param steps how many steps with faults
	 * @throws AssertionError if a lock had two holders, or a token did not grow
	 */
	void run(int steps) {
		for (int i = 0; i < steps; i++) {
			step();
			check();
		}
	}

	/**
	 * Ends all faults, and switches to another engine.
	 * @return whether the switch was completed
	 */
	boolean switchesWithoutFaults() {
		this.faults = false;
		settle();
		long before = this.nodes.get(0).epoch();
		String target = otherEngine(this.nodes.get(0));
		for (int i = 0; i < 300 && this.nodes.get(0).epoch() == before; i++) {
			this.nodes.get(0).round(new SwitchCommand.Start(target));
			settle();
		}
		return this.nodes.get(0).epoch() > before;
	}

	long highestEpoch() {
		return this.highestEpoch;
	}

	long grants() {
		return this.tokensChecked;
	}

	private void settle() {
		for (int i = 0; i < 60; i++) {
			this.now += Duration.ofMillis(300).toNanos();
			this.nodes.forEach((node) -> {
				node.release();
				node.round(null);
			});
			check();
		}
	}

	private void step() {
		Node node = this.nodes.get(this.random.nextInt(NODES));
		switch (this.random.nextInt(20)) {
			case 0, 1, 2, 3, 4 -> this.now += this.random.nextLong(Duration.ofMillis(400).toNanos());
			case 5, 6, 7, 8, 9, 10 -> node.round(null);
			case 11 -> node.round(new SwitchCommand.Start(otherEngine(node)));
			case 12, 13, 14, 15 -> node.take();
			case 16, 17 -> node.release();
			case 18 -> rare(node);
			default -> this.now += this.random.nextLong(Duration.ofMillis(50).toNanos());
		}
	}

	private void rare(Node node) {
		switch (this.random.nextInt(6)) {
			case 0 -> node.crash();
			case 1 -> node.cutOff = !node.cutOff;
			case 2 -> node.round(new SwitchCommand.CallOff());
			case 3 -> this.now += LEASE.toNanos() * 2;
			case 4 -> {
				if (this.mayForget) {
					this.store.forget();
				}
			}
			default -> this.nodes.forEach((each) -> each.cutOff = false);
		}
	}

	/**
	 * What happens while a node stands still in the middle of something.
	 */
	private void meanwhile() {
		if (!this.faults || this.depth >= 2 || this.random.nextInt(4) > 0) {
			return;
		}
		this.depth++;
		int steps = this.random.nextInt(40);
		for (int i = 0; i < steps; i++) {
			step();
			check();
		}
		this.depth--;
	}

	private void check() {
		List<Node> holders = this.nodes.stream().filter(Node::holds).toList();
		if (holders.size() > 1) {
			throw new AssertionError("Two nodes hold the lock: " + holders);
		}
	}

	private String otherEngine(Node node) {
		EpochDocument document = node.member.document();
		return (document != null && document.engine().equals("first")) ? "second" : "first";
	}

	/**
	 * A mistake of a node, which the simulation has to notice.
	 */
	enum Fault {

		NONE,

		/** Keeps a grant that arrives after the term. */
		KEEPS_LATE_GRANTS,

		/** Holds on after the end of its term. */
		HOLDS_ON,

		/** Passes the token of the engine on. */
		FORGETS_THE_EPOCH

	}

	private record EngineLease(long owner, long endsAt) {
	}

	private final class Node {

		private EpochMember member = newMember();

		private boolean cutOff;

		private boolean inside;

		private boolean inRound;

		private @Nullable EpochTerm term;

		private long validUntil;

		private long owner;

		private EpochMember newMember() {
			return new EpochMember(new Cable(), SwitchSimulation.this.settings, ENGINES, EngineHealth.UNKNOWN, "node",
					() -> SwitchSimulation.this.now, new Random(SwitchSimulation.this.random.nextLong()), (nanos) -> {
					}, () -> {
					});
		}

		void round(@Nullable SwitchCommand command) {
			if (this.inRound) {
				return;
			}
			this.inRound = true;
			EpochMember current = this.member;
			try {
				current.round(command);
				EpochDocument document = current.document();
				if (document != null) {
					SwitchSimulation.this.highestEpoch = Math.max(SwitchSimulation.this.highestEpoch, document.epoch());
				}
			}
			catch (LockUnavailableException ex) {
				// It tries again.
			}
			this.inRound = false;
		}

		void take() {
			EpochTerm open = this.member.term();
			if (this.inside || holds() || open == null || !open.isOpen()) {
				return;
			}
			release();
			this.inside = true;
			long asked = SwitchSimulation.this.now;
			meanwhile();
			long own = SwitchSimulation.this.random.nextLong();
			boolean granted = grant(open.engine(), own);
			long token = granted ? nextToken(open) : 0;
			meanwhile();
			if (granted && asked + ENGINE_LEASE > SwitchSimulation.this.now && enter(open)) {
				this.term = open;
				this.owner = own;
				this.validUntil = asked + ENGINE_LEASE;
				requireGrowing(token);
			}
			else if (granted) {
				free(open.engine(), own);
			}
			this.inside = false;
		}

		private boolean enter(EpochTerm open) {
			return open.enter() || SwitchSimulation.this.planted == Fault.KEEPS_LATE_GRANTS;
		}

		private boolean grant(String engine, long own) {
			EngineLease lease = SwitchSimulation.this.engines.get(engine);
			if (lease != null && lease.endsAt() > SwitchSimulation.this.now) {
				return false;
			}
			SwitchSimulation.this.engines.put(engine, new EngineLease(own, SwitchSimulation.this.now + ENGINE_LEASE));
			return true;
		}

		private long nextToken(EpochTerm open) {
			// The counters of the two engines have nothing to do with each other.
			long first = open.engine().equals("first") ? 1_000_000 : 1;
			long token = SwitchSimulation.this.engineTokens.merge(open.engine(), first, (a, b) -> a + 1);
			return (SwitchSimulation.this.planted == Fault.FORGETS_THE_EPOCH) ? token : open.token(token);
		}

		private void requireGrowing(long token) {
			SwitchSimulation.this.tokensChecked++;
			if (token <= SwitchSimulation.this.lastToken && !SwitchSimulation.this.mayForget) {
				throw new AssertionError("The token " + token + " follows " + SwitchSimulation.this.lastToken);
			}
			SwitchSimulation.this.lastToken = token;
		}

		long epoch() {
			EpochDocument document = this.member.document();
			return (document != null) ? document.epoch() : 0;
		}

		boolean holds() {
			boolean ended = this.term == null || (SwitchSimulation.this.planted != Fault.HOLDS_ON
					&& this.term.hasEnded(SwitchSimulation.this.now));
			return !ended && this.validUntil > SwitchSimulation.this.now;
		}

		/** Released, or found lost, by which the term no longer counts it. */
		void release() {
			EpochTerm held = this.term;
			if (held == null || this.inside) {
				return;
			}
			this.term = null;
			held.leave();
			free(held.engine(), this.owner);
		}

		private void free(String engine, long own) {
			SwitchSimulation.this.engines.computeIfPresent(engine,
					(name, lease) -> (lease.owner() == own) ? null : lease);
		}

		void crash() {
			if (this.inside || this.inRound) {
				return;
			}
			this.term = null;
			this.member = newMember();
		}

		@Override
		public String toString() {
			return "Node[" + this.member.document() + "]";
		}

		/** Its way to the register. */
		private final class Cable implements SharedEntry {

			@Override
			public boolean mayForget() {
				return SwitchSimulation.this.mayForget;
			}

			@Override
			public Value read() {
				requireThere();
				Value entry = SwitchSimulation.this.store.read();
				meanwhile();
				return entry;
			}

			@Override
			public boolean write(long version, String text) {
				meanwhile();
				requireThere();
				boolean written = SwitchSimulation.this.store.write(version, text);
				meanwhile();
				if (SwitchSimulation.this.faults && SwitchSimulation.this.random.nextInt(20) == 0) {
					throw new LockUnavailableException("The reply is lost", null);
				}
				return written;
			}

			private void requireThere() {
				if (SwitchSimulation.this.faults && Node.this.cutOff) {
					throw new LockUnavailableException("cut off", null);
				}
			}

		}

	}

}
