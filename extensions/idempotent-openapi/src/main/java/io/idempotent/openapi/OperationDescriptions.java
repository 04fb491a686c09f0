package io.idempotent.openapi;

import java.util.Collection;
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
import io.idempotent.webmvc.internal.operation.ErrorStatuses;
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

	private final HttpIdempotency idempotency;

	private final HttpSettings settings;

	private final ApplicationMessages messages;

	private final MessageSource defaults = new MessageBundle("io.idempotent.openapi.descriptions");

	/** {@code null} if the application writes refusals itself. */
	private final @Nullable DefaultProblemRenderer problems;

	private final boolean tokensAreStored;

	OperationDescriptions(HttpIdempotency idempotency, MessageSource messages) {
		this.idempotency = idempotency;
		this.settings = idempotency.settings();
		this.messages = new ApplicationMessages(messages);
		this.problems = (idempotency.problems() instanceof DefaultProblemRenderer own) ? own : null;
		this.tokensAreStored = idempotency.tokens().service().storesTokens();
	}

	/** {@code null} if no request with this HTTP method is an operation of this name. */
	@Nullable Described describe(String name, String method, Locale locale) {
		Operation operation = this.idempotency.find(name, method);
		return (operation != null) ? describe(operation, locale) : null;
	}

	DescribedTokens tokens(Locale locale) {
		Set<Refusal> refusals = this.tokensAreStored ? Set.of(Refusal.STORE_UNAVAILABLE) : Set.of();
		return new DescribedTokens(text("tokens", locale, this.settings.tokenHeader()),
				text("tokens.unknown-operation", locale), retryAfter(locale),
				problems(refusals, KeySource.CONTENT, locale));
	}

	private Described describe(Operation operation, Locale locale) {
		SentKey key = key(operation, locale);
		OperationPolicy policy = operation.policy();
		boolean replays = policy.whenCompleted() == WhenCompleted.REPLAY;
		Header replayed = replays ? new Header(this.settings.replayedHeader(), text("replayed", locale)) : null;
		return new Described(operation.source(), policy, operation.replayErrors().texts(), promise(operation, locale),
				key, replayed, lifetime(operation, locale), echoed(operation, locale), retryAfter(locale),
				problems(possibleRefusals(operation), operation.source(), locale));
	}

	private String promise(Operation operation, Locale locale) {
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

	private @Nullable SentKey key(Operation operation, Locale locale) {
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

	private @Nullable Header lifetime(Operation operation, Locale locale) {
		return (operation.source() == KeySource.HEADER)
				? new Header(HttpSettings.TTL_HEADER, text("ttl", locale, this.settings.keyHeader())) : null;
	}

	private @Nullable Header echoed(Operation operation, Locale locale) {
		boolean echoes = this.settings.protocol().echoKey() && operation.source() == KeySource.HEADER;
		return echoes ? new Header(this.settings.keyHeader(), text("echoed", locale)) : null;
	}

	private Header retryAfter(Locale locale) {
		return new Header("Retry-After", text("retry-after", locale));
	}

	/** The application's message {@code idempotent.description.*}, or the default. */
	private String text(String name, Locale locale, Object... arguments) {
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

	private List<ErrorDocument> problems(Collection<Refusal> refusals, KeySource source, Locale locale) {
		DefaultProblemRenderer renderer = this.problems;
		if (renderer == null) {
			return List.of();
		}
		return refusals.stream().map((refusal) -> renderer.describe(refusal, locale, source, null)).toList();
	}

	/** {@code text} is Markdown. The key is {@code null} if it is the content. */
	record Described(KeySource source, OperationPolicy policy, List<String> replayErrors, String text,
			@Nullable SentKey key, @Nullable Header replayed, @Nullable Header lifetime, @Nullable Header echoed,
			Header retryAfter, List<ErrorDocument> problems) {

		public Described {
			replayErrors = List.copyOf(replayErrors);
			problems = List.copyOf(problems);
		}

		public boolean replays(int status) {
			return this.replayed != null && isRecorded(status);
		}

		/** Whether a response of this status completes the operation. */
		public boolean isRecorded(int status) {
			return (status >= 200 && status < 400) || new ErrorStatuses(this.replayErrors).contains(status);
		}

	}

	/** {@code unknownOperation} says why a request may be refused with status 400. */
	record DescribedTokens(String text, String unknownOperation, Header retryAfter, List<ErrorDocument> problems) {

		public DescribedTokens {
			problems = List.copyOf(problems);
		}

	}

	/** The pattern suits JavaScript, too. A form {@code field} may replace the header. */
	record SentKey(String header, String text, boolean required, String pattern, int maxLength, @Nullable String field,
			@Nullable String fieldText) {
	}

	/** A response header, and what it means. */
	record Header(String name, String text) {
	}

}
