package io.idempotent.openapi;

import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

import io.idempotent.IdempotencyProfile.KeySyntax;
import io.idempotent.KeySource;
import io.idempotent.Refusal;
import io.idempotent.WhenCompleted;
import io.idempotent.WhenInProgress;
import io.idempotent.WhenStoreFails;
import io.idempotent.WhenUnknown;
import io.idempotent.logging.DurationText;
import io.idempotent.submission.policy.OperationPolicy;
import io.idempotent.support.ApplicationMessages;
import io.idempotent.webmvc.internal.HttpIdempotency;
import io.idempotent.webmvc.internal.key.KeyReader;
import io.idempotent.webmvc.internal.operation.HttpSettings;
import io.idempotent.webmvc.internal.operation.Operation;
import io.idempotent.webmvc.internal.refusal.DefaultProblemRenderer;
import io.idempotent.webmvc.internal.refusal.ErrorDocument;
import io.idempotent.webmvc.internal.refusal.MessageBundle;
import org.jspecify.annotations.Nullable;

import org.springframework.context.MessageSource;

/**
 * Describes to callers, in their language, what each idempotent operation requires.
 */
final class OperationDescriptions {

	private final HttpSettings settings;

	private final ApplicationMessages messages;

	private final MessageSource defaults = new MessageBundle("io.idempotent.openapi.descriptions");

	/** {@code null} if the application writes refusals itself. */
	private final @Nullable DefaultProblemRenderer problems;

	private final boolean tokensAreStored;

	OperationDescriptions(HttpIdempotency idempotency, MessageSource messages) {
		this.settings = idempotency.settings();
		this.messages = new ApplicationMessages(messages);
		this.problems = (idempotency.problems() instanceof DefaultProblemRenderer own) ? own : null;
		this.tokensAreStored = idempotency.tokens().service().storesTokens();
	}

	String promise(Operation operation, Locale locale) {
		String what = switch (operation.source()) {
			case HEADER -> text("source.header", locale, this.settings.keyHeader());
			case TOKEN -> text("source.token", locale, this.settings.tokenHeader(), this.settings.tokenParameter());
			case CONTENT, DEFAULT ->
				text((operation.expression() != null) ? "source.expression" : "source.content", locale);
		};
		String retention = DurationText.of(operation.policy().retention());
		return what + " "
				+ ((operation.policy().whenCompleted() == WhenCompleted.REPLAY)
						? text("completed.replay", locale, retention, this.settings.replayedHeader())
						: text("completed.reject", locale, retention));
	}

	/** {@code null} if the key is the content. */
	@Nullable SentKey key(Operation operation, Locale locale) {
		return switch (operation.source()) {
			case HEADER -> keyHeader(operation, locale);
			case TOKEN -> new SentKey(this.settings.tokenHeader(), text("key.token", locale),
					operation.condition() == null, KeyPatterns.TOKEN, KeyReader.MAX_LENGTH,
					this.settings.tokenParameter(), text("key.token.field", locale, this.settings.tokenHeader()));
			case CONTENT, DEFAULT -> null;
		};
	}

	private SentKey keyHeader(Operation operation, Locale locale) {
		boolean required = this.settings.protocol().keyRequired();
		KeySyntax syntax = this.settings.protocol().keySyntax();
		String text = text("key.header", locale) + switch (syntax) {
			case QUOTED_OR_BARE -> " " + text("key.header.quoted-or-bare", locale);
			case QUOTED -> " " + text("key.header.quoted", locale);
			case OPAQUE -> "";
		};
		return new SentKey(this.settings.keyHeader(),
				required ? text : text + " " + text("key.header.optional", locale),
				required && operation.condition() == null, KeyPatterns.header(syntax),
				KeyPatterns.maxHeaderLength(syntax), null, null);
	}

	/** The application's message {@code idempotent.description.*}, or the default. */
	String text(String name, Locale locale, Object... arguments) {
		String code = "idempotent.description." + name;
		String own = this.messages.find(code, locale, arguments);
		return (own != null) ? own : this.defaults.getMessage(code, arguments, locale);
	}

	/** Leaves out faults of the server, such as an unreadable record. */
	private Set<Refusal> possibleRefusals(Operation operation) {
		Set<Refusal> refusals = EnumSet.of(Refusal.BODY_TOO_LARGE, operation.policy().refusalOfDuplicate());
		boolean sent = operation.source() != KeySource.CONTENT;
		boolean optional = operation.source() == KeySource.HEADER && !this.settings.protocol().keyRequired();
		boolean computed = operation.expression() != null;
		addIf(sent, Refusal.KEY_MALFORMED, refusals);
		addIf(operation.source() == KeySource.TOKEN, Refusal.TOKEN_UNKNOWN, refusals);
		// If the whole content is the key, it is never missing and never reused.
		addIf(sent || computed, Refusal.KEY_REUSED, refusals);
		addIf(computed || (sent && !optional), Refusal.KEY_MISSING, refusals);
		OperationPolicy policy = operation.policy();
		// A burnt key is completed by its claim: it is never in progress or unknown.
		boolean burnt = policy.whenCompleted() == WhenCompleted.BURN;
		addIf(!burnt, Refusal.IN_PROGRESS, refusals);
		addIf(!burnt && policy.whenUnknown() != WhenUnknown.RERUN, Refusal.OUTCOME_UNKNOWN, refusals);
		addIf(policy.whenStoreFails() == WhenStoreFails.REJECT
				|| (!burnt && policy.whenInProgress() == WhenInProgress.WAIT), Refusal.STORE_UNAVAILABLE, refusals);
		return refusals;
	}

	private static void addIf(boolean possible, Refusal refusal, Set<Refusal> refusals) {
		if (possible) {
			refusals.add(refusal);
		}
	}

	List<ErrorDocument> problems(Operation operation, Locale locale) {
		return problems(possibleRefusals(operation), operation.source(), locale);
	}

	List<ErrorDocument> problemsOfTokens(Locale locale) {
		return problems(this.tokensAreStored ? Set.of(Refusal.STORE_UNAVAILABLE) : Set.of(), KeySource.CONTENT, locale);
	}

	private List<ErrorDocument> problems(Set<Refusal> refusals, KeySource source, Locale locale) {
		DefaultProblemRenderer renderer = this.problems;
		if (renderer == null) {
			return List.of();
		}
		return refusals.stream().map((refusal) -> renderer.describe(refusal, locale, source, null)).toList();
	}

	/** The pattern suits JavaScript, too. A form {@code field} may replace the header. */
	record SentKey(String header, String text, boolean required, String pattern, int maxLength, @Nullable String field,
			@Nullable String fieldText) {
	}

}
