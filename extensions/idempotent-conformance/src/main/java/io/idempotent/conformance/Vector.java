package io.idempotent.conformance;

import java.util.List;
import java.util.Set;

import org.jspecify.annotations.Nullable;

/** One check. Its id never changes its meaning. The first clause of a profile counts. */
record Vector(String id, String sentence, List<Clause> clauses, Check check) {

	/** The clause of a profile, or {@code null} if the vector does not belong to it. */
	@Nullable Clause clause(Profile profile) {
		return this.clauses.stream().filter((clause) -> clause.profiles().contains(profile)).findFirst().orElse(null);
	}

	static Draft of(String id, String sentence) {
		return new Draft(id, sentence, List.of());
	}

	/** A vector without its check. */
	record Draft(String id, String sentence, List<Clause> clauses) {

		Draft requiredBy(Clause... clauses) {
			return new Draft(this.id, this.sentence, List.of(clauses));
		}

		Vector check(Check check) {
			return new Vector(this.id, this.sentence, this.clauses, check);
		}

	}

	/** Throws {@link Session.CheckEnded} unless the target conforms. */
	@FunctionalInterface
	interface Check {

		void run(Session session);

	}

	/** What a document requires of the profiles to which it belongs. */
	record Clause(Set<Profile> profiles, Level level, Source source, String section) {

		static Clause of(Profile profile, Level level, Source source, String section) {
			return new Clause(Set.of(profile), level, source, section);
		}

		static Clause ietf(Level level, String section) {
			return of(Profile.IETF, level, Source.DRAFT, section);
		}

		static Clause acp(Level level, String section) {
			return of(Profile.ACP, level, Source.ACP, section);
		}

		static Clause stripe(String section) {
			return of(Profile.STRIPE, Level.MUST, Source.STRIPE, section);
		}

		static Clause http(String section) {
			return new Clause(Set.of(Profile.values()), Level.MUST, Source.HTTP, section);
		}

		static Clause structuredFields(Level level, String section) {
			return of(Profile.IETF, level, Source.STRUCTURED_FIELDS, section);
		}

		static Clause problems(Level level, String section, Profile... profiles) {
			return new Clause(Set.of(profiles), level, Source.PROBLEMS, section);
		}

		/** A promise in the given profiles, or in all of them. */
		static Clause promise(String page, Profile... profiles) {
			return new Clause(Set.of((profiles.length > 0) ? profiles : Profile.values()), Level.PROMISE,
					Source.PROMISE, page);
		}

		String cite() {
			return this.source.title + ", " + this.section;
		}

		String link() {
			return (this.source == Source.ACP) ? this.source.address : this.source.address + this.section;
		}

	}

	enum Source {

		DRAFT("draft-07",
				"https://datatracker.ietf.org/doc/html/draft-ietf-httpapi-idempotency-key-header-07#section-"),

		STRIPE("Stripe API", "https://docs.stripe.com/"),

		ACP("ACP",
				"https://github.com/agentic-commerce-protocol/agentic-commerce-protocol/blob/main/rfcs/rfc.agentic_checkout.md"),

		HTTP("RFC 9110", "https://www.rfc-editor.org/rfc/rfc9110#section-"),

		STRUCTURED_FIELDS("RFC 9651", "https://www.rfc-editor.org/rfc/rfc9651#section-"),

		PROBLEMS("RFC 9457", "https://www.rfc-editor.org/rfc/rfc9457#section-"),

		PROMISE("this library", "docs/");

		private final String title;

		private final String address;

		Source(String title, String address) {
			this.title = title;
			this.address = address;
		}

	}

}
