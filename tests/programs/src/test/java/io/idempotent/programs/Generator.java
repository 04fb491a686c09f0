package io.idempotent.programs;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;

import io.idempotent.programs.Statement.Around;
import io.idempotent.programs.Statement.Around.Kind;
import io.idempotent.programs.Statement.Call;
import io.idempotent.programs.Statement.Simple;
import io.idempotent.programs.Statement.Tx;

import org.springframework.transaction.annotation.Isolation;
import org.springframework.transaction.annotation.Propagation;

/**
 * Draws programs. The same seed draws the same program.
 */
final class Generator {

	private static final int MAX_DEPTH = 6;

	private static final List<Propagation> PROPAGATIONS = List.of(Propagation.REQUIRED, Propagation.REQUIRED,
			Propagation.REQUIRED, Propagation.REQUIRES_NEW, Propagation.REQUIRES_NEW, Propagation.NESTED,
			Propagation.NESTED, Propagation.SUPPORTS, Propagation.NOT_SUPPORTED);

	/** What only some entrances can show is drawn more often. */
	private static final List<Entrance> ENTRANCES = Stream
		.concat(Arrays.stream(Entrance.values()), Stream.of(Entrance.HTTP, Entrance.REJECTING))
		.toList();

	private final Random random;

	private final Map<String, Entrance> entrances;

	private final List<String> keys;

	private final StoreKind store;

	private final boolean jpa;

	private int budget;

	private Generator(Random random, StoreKind store, boolean jpa, Map<String, Entrance> entrances) {
		this.random = random;
		this.store = store;
		this.jpa = jpa;
		this.entrances = entrances;
		this.keys = List.copyOf(entrances.keySet());
		this.budget = 4 + random.nextInt(12);
	}

	/**
	 * Draws a program.
	 * @param seed decides on it
	 * @return the program
	 */
	static Program draw(long seed) {
		// Seeds that follow one another begin alike.
		Random random = new Random(seed * 0x9E3779B97F4A7C15L);
		random.nextInt();
		boolean receipts = random.nextInt(4) != 0;
		StoreKind store = (random.nextInt(4) == 0) ? StoreKind.REDIS : StoreKind.LOCAL;
		boolean autoCommit = !receipts || store != StoreKind.LOCAL || random.nextInt(4) != 0;
		boolean jpa = random.nextInt(4) == 0;
		Map<String, Entrance> keys = new LinkedHashMap<>();
		int count = 1 + random.nextInt(10) / 5 + random.nextInt(10) / 9;
		for (int i = 1; i <= count; i++) {
			keys.put("k" + i, entrance(random, jpa));
		}
		Generator generator = new Generator(random, store, jpa, keys);
		return new Program(receipts, store, autoCommit, jpa, keys, generator.topLevel());
	}

	private static Entrance entrance(Random random, boolean jpa) {
		Entrance drawn = ENTRANCES.get(random.nextInt(ENTRANCES.size()));
		return (jpa && drawn == Entrance.NESTED) ? Entrance.REQUIRED : drawn;
	}

	private List<Statement> topLevel() {
		List<Statement> statements = new ArrayList<>();
		while (this.budget > 0) {
			Statement next = any(new Place(0, false, false));
			statements.add(chance(50) ? next : Around.of(Kind.CATCH, next));
		}
		return List.copyOf(statements);
	}

	private List<Statement> body(Place place) {
		List<Statement> statements = new ArrayList<>();
		int wanted = this.random.nextInt(3) + (chance(70) ? 1 : 0);
		for (int i = 0; i < wanted && this.budget > 0; i++) {
			statements.add(any(place));
		}
		return List.copyOf(statements);
	}

	private Statement any(Place place) {
		this.budget--;
		int drawn = this.random.nextInt(100);
		if (place.depth() >= MAX_DEPTH) {
			return simple(drawn, place);
		}
		Place inner = place.deeper();
		if (drawn < 26) {
			return call(pick(this.keys), inner);
		}
		if (drawn < 48) {
			return transaction(inner);
		}
		if (drawn < 54) {
			return callback(inner);
		}
		if (drawn < 58) {
			return new Around(Kind.CATCH, body(inner));
		}
		if (drawn < 61) {
			return new Around(Kind.RETRY, chance(50) ? body(inner) : List.of(failing(inner)));
		}
		if (drawn < 62) {
			return new Statement.Lock(chance(50), chance(50), body(inner));
		}
		if (drawn < 63) {
			return new Around((this.jpa || chance(50)) ? Kind.AWAY : Kind.SAVEPOINT, body(inner));
		}
		if (drawn < 67 && !place.beside() && !place.preparing()) {
			return new Around(Kind.MEANWHILE, body(inner.besides()));
		}
		return simple(drawn, place);
	}

	private Statement transaction(Place inner) {
		Manager manager = chance(75) ? Manager.MAIN : (this.jpa || chance(70)) ? Manager.OTHER : Manager.SAME;
		Isolation isolation = chance(96) ? Isolation.DEFAULT
				: pick(List.of(Isolation.READ_COMMITTED, Isolation.REPEATABLE_READ, Isolation.SERIALIZABLE));
		return new Tx(manager, propagation(manager), isolation, chance(6), body(inner));
	}

	private Statement call(String key, Place inner) {
		if (this.store == StoreKind.LOCAL && !inner.beside() && !inner.preparing() && chance(4)) {
			return takenOver(key, inner);
		}
		if (this.entrances.get(key) != Entrance.HTTP || chance(50)) {
			return new Call(key, body(inner));
		}
		List<Statement> rejected = new ArrayList<>();
		Statement effect = chance(50) ? failing(inner) : transaction(inner);
		rejected.add(chance(50) ? Around.of(Kind.CATCH, effect) : effect);
		rejected.add(Simple.REJECT);
		return new Call(key, List.copyOf(rejected));
	}

	/** A call that stands still for longer than its lease, while it is called again. */
	private Statement takenOver(String key, Place inner) {
		List<Statement> body = new ArrayList<>(chance(50) ? body(inner) : List.of(transaction(inner)));
		body.add(Simple.LAPSE);
		body.add(Around.of(Kind.MEANWHILE, new Call(key, body(inner.besides()))));
		if (chance(30)) {
			body.add(any(inner));
		}
		return new Call(key, List.copyOf(body));
	}

	/** A transaction that fails for the first time. */
	private Propagation propagation(Manager manager) {
		Propagation drawn = pick(PROPAGATIONS);
		return (this.jpa && manager == Manager.MAIN && drawn == Propagation.NESTED) ? Propagation.REQUIRED : drawn;
	}

	private Statement failing(Place inner) {
		List<Statement> body = new ArrayList<>(body(inner));
		if (chance(20)) {
			body.add(callback(inner));
		}
		Statement failure = chance(40) ? new Statement.Throw(thrown(), true)
				: new Statement.FailCommit(pick(List.of(CommitFault.values())));
		body.add(this.random.nextInt(body.size() + 1), failure);
		return new Tx(Manager.MAIN, propagation(Manager.MAIN), Isolation.DEFAULT, false, List.copyOf(body));
	}

	private Statement callback(Place inner) {
		Moment moment = pick(List.of(Moment.values()));
		Place place = moment.isBefore() ? inner.prepares() : inner;
		List<Statement> body = chance(60) ? body(place) : chance(30) ? failures()
				: List.of(new Tx(Manager.MAIN, Propagation.REQUIRES_NEW, Isolation.DEFAULT, false, body(place)));
		return (chance(60) && moment.hasListeners()) ? new Statement.Publish(moment, chance(40), body)
				: new Statement.Synchronize(moment, body);
	}

	/** What may fail in a callback without a failure of the database. */
	private List<Statement> failures() {
		return switch (this.random.nextInt(4)) {
			case 0 -> List.of(Tx.of(Propagation.REQUIRES_NEW, Tx.of(Propagation.REQUIRED, Simple.ROLLBACK_ONLY)));
			case 1 -> List.of(Simple.TIME_OUT, Simple.WRITE);
			case 2 -> List.of(Simple.NO_CONNECTION, Tx.of(Propagation.REQUIRES_NEW, Simple.WRITE));
			default -> List.of(new Statement.Throw(thrown(), chance(40)));
		};
	}

	private Thrown thrown() {
		return chance(50) ? Thrown.EXCEPTION : pick(List.of(Thrown.values()));
	}

	private Statement simple(int drawn, Place place) {
		if (drawn < 82) {
			return Simple.WRITE;
		}
		if (drawn < 84) {
			return Simple.WRITE_UNIQUE;
		}
		if (drawn < 89) {
			return chance(15) ? Simple.REJECT : new Statement.Throw(thrown(), chance(40));
		}
		if (drawn < 91) {
			return Simple.ROLLBACK_ONLY;
		}
		if (drawn < 92) {
			return chance(50) ? Simple.TIME_OUT : Simple.NO_CONNECTION;
		}
		if (drawn < 95) {
			return new Statement.FailCommit(pick(List.of(CommitFault.values())));
		}
		if (place.preparing()) {
			return Simple.WRITE;
		}
		return (drawn < 99 || this.store == StoreKind.REDIS) ? Simple.FLUSH : Simple.LAPSE;
	}

	private boolean chance(int percent) {
		return this.random.nextInt(100) < percent;
	}

	private <T> T pick(List<T> values) {
		return values.get(this.random.nextInt(values.size()));
	}

	/**
	 * Where a statement stands.
	 *
	 * @param depth how deep
	 * @param beside whether on another thread
	 * @param preparing whether a transaction is being committed around it
	 */
	private record Place(int depth, boolean beside, boolean preparing) {

		Place deeper() {
			return new Place(this.depth + 1, this.beside, this.preparing);
		}

		Place besides() {
			return new Place(this.depth, true, this.preparing);
		}

		Place prepares() {
			return new Place(this.depth, this.beside, true);
		}

	}

}
