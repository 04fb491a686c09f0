package io.idempotent.webmvc.internal.description;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Set;

import io.idempotent.IdempotencyProfile.KeySyntax;
import io.idempotent.KeySource;
import io.idempotent.Refusal;
import io.idempotent.WhenCompleted;
import io.idempotent.engine.policy.OperationPolicy;
import io.idempotent.logging.DurationText;
import io.idempotent.webmvc.internal.key.KeyReader;
import io.idempotent.webmvc.internal.operation.ErrorStatuses;
import io.idempotent.webmvc.internal.operation.HandlerMappings;
import io.idempotent.webmvc.internal.operation.HttpSettings;
import io.idempotent.webmvc.internal.operation.Operation;
import io.idempotent.webmvc.internal.refusal.DefaultProblemRenderer;
import io.idempotent.webmvc.internal.refusal.DescribedProblem;
import org.jspecify.annotations.Nullable;

import org.springframework.web.method.HandlerMethod;

/**
 * Describes to callers, in their language, what each idempotent operation requires: for
 * API documents. Names, rules and texts are those that apply to requests.
 */
public final class OperationDescriptions {

	private final HandlerMappings mappings;

	private final HttpSettings settings;

	private final DescriptionTexts texts;

	private final @Nullable DefaultProblemRenderer problems;

	private final boolean tokensAreStored;

	/**
	 * Creates the descriptions.
	 * @param mappings the operations
	 * @param settings the settings of all operations
	 * @param texts the texts
	 * @param problems writes refusals, or {@code null} if the application does so itself
	 * @param tokensAreStored whether issuing a token needs the store
	 */
	public OperationDescriptions(HandlerMappings mappings, HttpSettings settings, DescriptionTexts texts,
			@Nullable DefaultProblemRenderer problems, boolean tokensAreStored) {
		this.mappings = mappings;
		this.settings = settings;
		this.texts = texts;
		this.problems = problems;
		this.tokensAreStored = tokensAreStored;
	}

	/**
	 * The operation of a handler method.
	 * @param handler a handler method, mapped or not
	 * @return the name of the operation, or {@code null} if requests to the method are
	 * not idempotent
	 */
	public @Nullable String operation(HandlerMethod handler) {
		Operation operation = this.mappings.find(handler);
		return (operation != null) ? operation.name() : null;
	}

	/**
	 * Describes an operation.
	 * @param name the name of the operation
	 * @param method the HTTP method of the requests to describe: by an annotation of the
	 * class, safe requests such as GET are not idempotent
	 * @param locale the language of the texts
	 * @return the description, or {@code null} if no such request is an idempotent
	 * operation of this name
	 */
	public @Nullable Described describe(String name, String method, Locale locale) {
		Operation operation = this.mappings.find(name, method);
		return (operation != null) ? describe(operation, locale) : null;
	}

	/**
	 * Describes the endpoint that issues tokens.
	 * @param locale the language of the texts
	 */
	public DescribedTokens tokens(Locale locale) {
		Set<Refusal> refusals = this.tokensAreStored ? Set.of(Refusal.STORE_UNAVAILABLE) : Set.of();
		return new DescribedTokens(this.texts.get("tokens", locale, this.settings.tokenHeader()),
				this.texts.get("tokens.unknown-operation", locale), retryAfter(locale),
				problems(refusals, null, locale));
	}

	private Described describe(Operation operation, Locale locale) {
		SentKey key = key(operation, locale);
		OperationPolicy policy = operation.policy();
		boolean replays = policy.whenCompleted() == WhenCompleted.REPLAY;
		Header replayed = replays ? new Header(this.settings.replayedHeader(), this.texts.get("replayed", locale))
				: null;
		return new Described(operation.source(), policy, operation.replayErrors().texts(), text(operation, locale), key,
				replayed, echoed(operation, locale), retryAfter(locale),
				problems(PossibleRefusals.of(operation, this.settings.protocol().keyRequired()),
						(key != null) ? key.header() : null, locale));
	}

	private String text(Operation operation, Locale locale) {
		String what = switch (operation.source()) {
			case HEADER -> this.texts.get("source.header", locale, this.settings.keyHeader());
			case TOKEN ->
				this.texts.get("source.token", locale, this.settings.tokenHeader(), this.settings.tokenParameter());
			case CONTENT, DEFAULT ->
				this.texts.get((operation.expression() != null) ? "source.expression" : "source.content", locale);
		};
		String retention = DurationText.of(operation.policy().retention());
		return what + " "
				+ ((operation.policy().whenCompleted() == WhenCompleted.REPLAY)
						? this.texts.get("completed.replay", locale, retention, this.settings.replayedHeader())
						: this.texts.get("completed.reject", locale, retention));
	}

	private @Nullable SentKey key(Operation operation, Locale locale) {
		return switch (operation.source()) {
			case HEADER -> keyHeader(operation, locale);
			case TOKEN -> new SentKey(this.settings.tokenHeader(), this.texts.get("key.token", locale),
					operation.condition() == null, KeyReader.TOKEN_PATTERN, KeyReader.MAX_LENGTH,
					this.settings.tokenParameter(),
					this.texts.get("key.token.field", locale, this.settings.tokenHeader()));
			case CONTENT, DEFAULT -> null;
		};
	}

	private SentKey keyHeader(Operation operation, Locale locale) {
		boolean required = this.settings.protocol().keyRequired();
		KeySyntax syntax = this.settings.protocol().keySyntax();
		String text = this.texts.get("key.header", locale) + switch (syntax) {
			case QUOTED_OR_BARE -> " " + this.texts.get("key.header.quoted-or-bare", locale);
			case QUOTED -> " " + this.texts.get("key.header.quoted", locale);
			case OPAQUE -> "";
		};
		return new SentKey(this.settings.keyHeader(),
				required ? text : text + " " + this.texts.get("key.header.optional", locale),
				required && operation.condition() == null, KeyReader.pattern(syntax), KeyReader.maxHeaderLength(syntax),
				null, null);
	}

	private @Nullable Header echoed(Operation operation, Locale locale) {
		boolean echoes = this.settings.protocol().echoKey() && operation.source() == KeySource.HEADER;
		return echoes ? new Header(this.settings.keyHeader(), this.texts.get("echoed", locale)) : null;
	}

	private Header retryAfter(Locale locale) {
		return new Header("Retry-After", this.texts.get("retry-after", locale));
	}

	private List<DescribedProblem> problems(Collection<Refusal> refusals, @Nullable String header, Locale locale) {
		DefaultProblemRenderer renderer = this.problems;
		if (renderer == null) {
			return List.of();
		}
		List<DescribedProblem> described = new ArrayList<>();
		refusals.forEach((refusal) -> described.add(renderer.describe(refusal, locale, header)));
		return described;
	}

	/**
	 * An operation.
	 *
	 * @param source where its key comes from
	 * @param policy its policy
	 * @param replayErrors the errors that are replayed, such as {@code 409} or
	 * {@code 4xx}
	 * @param text what it promises, in Markdown
	 * @param key the key or token that a request carries, or {@code null} if the content
	 * is the key
	 * @param replayed the response header that marks a replay, or {@code null} if nothing
	 * is replayed
	 * @param echoed the response header that carries the key of the request, or
	 * {@code null} if there is none
	 * @param retryAfter the response header of problems that end by themselves
	 * @param problems the problems that its settings make possible; none if the
	 * application renders them itself
	 */
	public record Described(KeySource source, OperationPolicy policy, List<String> replayErrors, String text,
			@Nullable SentKey key, @Nullable Header replayed, @Nullable Header echoed, Header retryAfter,
			List<DescribedProblem> problems) {

		/**
		 * Copies the lists.
		 */
		public Described {
			replayErrors = List.copyOf(replayErrors);
			problems = List.copyOf(problems);
		}

		/**
		 * Whether a response may be a replay.
		 * @param status the status of the response
		 * @return whether a response of this status is recorded and replayed
		 */
		public boolean replays(int status) {
			return this.replayed != null
					&& ((status >= 200 && status < 400) || ErrorStatuses.of(this.replayErrors).contains(status));
		}

	}

	/**
	 * The endpoint that issues tokens.
	 *
	 * @param text what it returns
	 * @param unknownOperation why a request may be refused with status 400
	 * @param retryAfter the response header of problems that end by themselves
	 * @param problems the problems that are possible
	 */
	public record DescribedTokens(String text, String unknownOperation, Header retryAfter,
			List<DescribedProblem> problems) {

		/**
		 * Copies the list.
		 */
		public DescribedTokens {
			problems = List.copyOf(problems);
		}

	}

	/**
	 * A key or token in a request.
	 *
	 * @param header the name of its header
	 * @param text what to send
	 * @param required whether a request without it is always refused
	 * @param pattern the regular expression of its header, valid in Java and JavaScript
	 * @param maxLength the greatest length of its header
	 * @param field the name of the form field that may carry it instead, or {@code null}
	 * @param fieldText when to send the field, or {@code null}
	 */
	public record SentKey(String header, String text, boolean required, String pattern, int maxLength,
			@Nullable String field, @Nullable String fieldText) {
	}

	/**
	 * A response header.
	 *
	 * @param name its name
	 * @param text what it means
	 */
	public record Header(String name, String text) {
	}

}
