package io.idempotent.programs;

import java.util.EnumSet;
import java.util.HashSet;
import java.util.Set;

import io.idempotent.Refusal;
import org.jspecify.annotations.Nullable;

/**
 * What may come of a call.
 */
final class Expectation {

	/** What an operation without a result answers. */
	static final String NOTHING = "nothing";

	private final Set<String> values = new HashSet<>();

	private final Set<Refusal> refusals = EnumSet.noneOf(Refusal.class);

	private boolean runs;

	private boolean anything;

	private @Nullable Run joined;

	private Run.@Nullable Attempt continued;

	/** It belongs to the run around it. */
	static Expectation joins(Run around) {
		Expectation expectation = new Expectation();
		expectation.joined = around;
		return expectation;
	}

	@Nullable Run joined() {
		return this.joined;
	}

	/** A run belongs to an attempt that is not decided. */
	void continues(Run.Attempt attempt) {
		this.continued = attempt;
	}

	Run.@Nullable Attempt continued() {
		return this.continued;
	}

	void runs() {
		this.runs = true;
	}

	boolean mayRun() {
		return this.runs || this.anything;
	}

	void value(String value) {
		this.values.add(value);
	}

	boolean mayAnswer(String value) {
		return this.values.contains(value);
	}

	Set<String> values() {
		return this.values;
	}

	void refuses(Refusal refusal) {
		this.refusals.add(refusal);
	}

	boolean mayRefuse(Refusal refusal) {
		return this.refusals.contains(refusal) || this.anything;
	}

	void anything() {
		this.anything = true;
	}

	boolean isAnything() {
		return this.anything;
	}

	@Override
	public String toString() {
		if (this.joined != null) {
			return "a part of " + this.joined;
		}
		return this.anything ? "anything" : (this.runs ? "a run " : "") + this.values + " " + this.refusals;
	}

}
