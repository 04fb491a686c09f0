package io.idempotent.form;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.idempotent.KeySource;
import io.idempotent.webmvc.internal.HttpIdempotency.Handler;
import io.idempotent.webmvc.internal.key.TokenService;
import io.idempotent.webmvc.internal.operation.Operation;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.http.MediaType;
import org.springframework.http.server.PathContainer;
import org.springframework.web.bind.annotation.RequestMethod;
import org.springframework.web.servlet.mvc.condition.ConsumesRequestCondition;
import org.springframework.web.servlet.mvc.condition.PathPatternsRequestCondition;
import org.springframework.web.util.pattern.PathPattern;

/**
 * Finds the operation that a form submits, among the handler methods of the application.
 * As in Spring MVC the most specific pattern wins. Conditions on parameters and headers
 * are not evaluated, since they are unknown before the form is sent.
 */
final class FormTargets {

	/** How long handler methods are cached: those added later are found afterwards. */
	private static final long REFRESH = Duration.ofSeconds(10).toNanos();

	private static final List<MediaType> FORM_TYPES = List.of(MediaType.APPLICATION_FORM_URLENCODED,
			MediaType.MULTIPART_FORM_DATA, MediaType.TEXT_PLAIN);

	private static final List<String> HIDDEN_METHODS = List.of("PUT", "PATCH", "DELETE");

	private static final Log logger = LogFactory.getLog(FormTargets.class);

	private final Supplier<Collection<Handler>> handlers;

	private volatile @Nullable Snapshot snapshot;

	FormTargets(Supplier<Collection<Handler>> handlers) {
		this.handlers = handlers;
	}

	/**
	 * The name of the operation with the key source TOKEN,
	 * {@link TokenService#ANY_OPERATION} if the form may submit one of several, or
	 * {@code null} if there is none.
	 */
	@Nullable String find(String method, PathContainer path) {
		Snapshot now = current();
		List<Target> atPath = now.tokenTargets().stream().filter((target) -> target.matches(path)).toList();
		if (atPath.isEmpty()) {
			return null;
		}
		List<Target> all = now.targets().stream().filter((target) -> target.matches(path)).toList();
		Set<String> names = names(all, method, path);
		if (names.isEmpty() && method.equals("POST") && all.stream().noneMatch((target) -> target.serves("POST"))) {
			// The form can only work with a hidden method in its template.
			names = HIDDEN_METHODS.stream()
				.flatMap((hidden) -> names(all, hidden, path).stream())
				.collect(Collectors.toSet());
		}
		return switch (names.size()) {
			case 0 -> null;
			case 1 -> names.iterator().next();
			default -> TokenService.ANY_OPERATION;
		};
	}

	private static Set<String> names(List<Target> matching, String method, PathContainer path) {
		List<Match> matches = matching.stream()
			.filter((target) -> target.serves(method))
			.map((target) -> new Match(target, target.best(path)))
			.toList();
		return matches.stream()
			.map(Match::pattern)
			.min(PathPattern.SPECIFICITY_COMPARATOR)
			.map((best) -> matches.stream()
				.filter((match) -> PathPattern.SPECIFICITY_COMPARATOR.compare(match.pattern(), best) == 0)
				.flatMap((match) -> match.target().tokenOperation())
				.collect(Collectors.toSet()))
			.orElse(Set.of());
	}

	private Snapshot current() {
		Snapshot known = this.snapshot;
		if (known == null || System.nanoTime() - known.takenAt() > REFRESH) {
			Collection<Handler> handlers = this.handlers.get();
			if (known == null) {
				warnOfTextPaths(handlers);
			}
			known = Snapshot.of(handlers);
			this.snapshot = known;
		}
		return known;
	}

	private static void warnOfTextPaths(Collection<Handler> handlers) {
		List<String> without = handlers.stream()
			.filter((handler) -> handler.info().getPathPatternsCondition() == null)
			.flatMap((handler) -> Stream.ofNullable(handler.operation()))
			.filter((operation) -> operation.source() == KeySource.TOKEN)
			.map(Operation::name)
			.distinct()
			.sorted()
			.toList();
		if (!without.isEmpty()) {
			logger.warn("Forms that submit " + without
					+ " get no token by themselves: Spring MVC matches their paths as "
					+ "texts (ant_path_matcher). Remove spring.mvc.pathmatch.matching-strategy, or add the field with "
					+ "a token of the bean IdempotencyTokens");
		}
	}

	/** The handler methods at some point in time, and those that need a token. */
	private record Snapshot(List<Target> targets, List<Target> tokenTargets, long takenAt) {

		static Snapshot of(Collection<Handler> handlers) {
			List<Target> targets = new ArrayList<>();
			for (Handler handler : handlers) {
				PathPatternsRequestCondition paths = handler.info().getPathPatternsCondition();
				if (paths != null && acceptsForms(handler.info().getConsumesCondition())) {
					targets.add(new Target(handler.operation(), paths.getPatterns().stream().sorted().toList(),
							handler.info().getMethodsCondition().getMethods()));
				}
			}
			return new Snapshot(targets,
					targets.stream().filter((target) -> target.tokenOperation().findAny().isPresent()).toList(),
					System.nanoTime());
		}

		private static boolean acceptsForms(ConsumesRequestCondition consumes) {
			return consumes.isEmpty() || consumes.getExpressions()
				.stream()
				.anyMatch((expression) -> FORM_TYPES.stream()
					.anyMatch((type) -> expression.getMediaType().includes(type) != expression.isNegated()));
		}

	}

	private record Target(@Nullable Operation operation, List<PathPattern> patterns, Set<RequestMethod> methods) {

		boolean matches(PathContainer path) {
			return this.patterns.stream().anyMatch((pattern) -> pattern.matches(path));
		}

		boolean serves(String method) {
			return this.methods.isEmpty() || this.methods.contains(RequestMethod.resolve(method));
		}

		PathPattern best(PathContainer path) {
			return this.patterns.stream().filter((pattern) -> pattern.matches(path)).findFirst().orElseThrow();
		}

		Stream<String> tokenOperation() {
			return Stream.ofNullable(this.operation)
				.filter((known) -> known.source() == KeySource.TOKEN)
				.map(Operation::name);
		}

	}

	private record Match(Target target, PathPattern pattern) {
	}

}
