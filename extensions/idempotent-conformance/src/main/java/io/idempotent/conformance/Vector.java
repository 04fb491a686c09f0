package io.idempotent.conformance;

import java.util.ArrayList;
import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * One check.
 *
 * @param id the id, which never changes its meaning
 * @param sentence what is checked, as a statement about the target
 * @param clauses what requires it, by profile
 * @param check what checks it
 */
record Vector(String id, String sentence, List<Clause> clauses, Check check) {

	@Nullable Clause clause(Profile profile) {
		return this.clauses.stream().filter((clause) -> clause.profile() == profile).findFirst().orElse(null);
	}

	static Builder of(String id, String sentence) {
		return new Builder(id, sentence);
	}

	/**
	 * Throws {@link NotConforming} or {@link NotRun}.
	 */
	@FunctionalInterface
	interface Check {

		void run(Session session);

	}

	/**
	 * Collects the clauses of a vector.
	 */
	static final class Builder {

		private final String id;

		private final String sentence;

		private final List<Clause> clauses = new ArrayList<>();

		private Builder(String id, String sentence) {
			this.id = id;
			this.sentence = sentence;
		}

		Builder ietf(Level level, String section) {
			return clause(Profile.IETF, level, Source.DRAFT, section);
		}

		Builder acp(Level level, String section) {
			return clause(Profile.ACP, level, Source.ACP, section);
		}

		Builder stripe(String section) {
			return clause(Profile.STRIPE, Level.MUST, Source.STRIPE, section);
		}

		Builder promise(String page, Profile... profiles) {
			for (Profile profile : profiles) {
				clause(profile, Level.PROMISE, Source.PROMISE, page);
			}
			return this;
		}

		Builder all(Level level, Source source, String section) {
			for (Profile profile : Profile.values()) {
				clause(profile, level, source, section);
			}
			return this;
		}

		Builder clause(Profile profile, Level level, Source source, String section) {
			if (this.clauses.stream().noneMatch((clause) -> clause.profile() == profile)) {
				this.clauses.add(new Clause(profile, level, source, section));
			}
			return this;
		}

		Vector check(Check check) {
			return new Vector(this.id, this.sentence, List.copyOf(this.clauses), check);
		}

	}

}
