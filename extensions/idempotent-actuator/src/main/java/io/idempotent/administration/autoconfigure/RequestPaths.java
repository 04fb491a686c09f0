package io.idempotent.administration.autoconfigure;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.stream.Collectors;

import io.idempotent.webmvc.internal.operation.Operation;
import io.idempotent.webmvc.internal.request.MatchedPath;
import org.jspecify.annotations.Nullable;

import org.springframework.http.server.PathContainer;
import org.springframework.http.server.PathContainer.PathSegment;
import org.springframework.web.bind.annotation.RequestMethod;
import org.springframework.web.servlet.mvc.condition.PathPatternsRequestCondition;
import org.springframework.web.servlet.mvc.method.RequestMappingInfo;
import org.springframework.web.util.pattern.PathPattern;

/**
 * Matches a path that an operator describes as Spring MVC does. Prefixes may be empty.
 */
record RequestPaths(Supplier<String> contextPath, Supplier<String> servletPath) {

	/** {@code method} may be {@code null} if only one is mapped. */
	Matched match(List<Mapping> mapped, @Nullable String method, @Nullable String path) {
		String used = method(mapped, method);
		if (path == null) {
			throw unusable("The key belongs to one path: add the parameter 'path'", mapped);
		}
		int query = path.indexOf('?');
		PathContainer within = parse(withinApplication((query < 0) ? path : path.substring(0, query)), mapped);
		for (Mapping mapping : mapped) {
			Set<PathPattern> patterns = mapping.patterns();
			if (patterns == null) {
				throw unusable("Spring MVC matches paths as texts here (ant_path_matcher), which this lookup does not: "
						+ "look the record up by its id", mapped);
			}
			PathPattern best = accepts(mapping, used) ? best(patterns, within) : null;
			if (best != null) {
				return new Matched(used, parts(best, within));
			}
		}
		throw unusable("The path or the method is not one of this operation", mapped);
	}

	private static PathContainer parse(String path, List<Mapping> mapped) {
		try {
			return PathContainer.parsePath(path);
		}
		catch (IllegalArgumentException ex) {
			throw unusable("The path has a '%' that encodes no character: give it as the client sent it", mapped);
		}
	}

	private static String method(List<Mapping> mapped, @Nullable String method) {
		if (method != null) {
			return method.toUpperCase(Locale.ROOT);
		}
		Set<String> all = mapped.stream()
			.flatMap((mapping) -> mapping.methods().stream())
			.collect(Collectors.toCollection(TreeSet::new));
		if (all.size() != 1 || mapped.stream().anyMatch((mapping) -> mapping.methods().isEmpty())) {
			throw unusable("The key belongs to one HTTP method: add the parameter 'method'", mapped);
		}
		return all.iterator().next();
	}

	private static boolean accepts(Mapping mapping, String method) {
		List<String> methods = mapping.methods();
		return methods.isEmpty() || methods.contains(method) || (method.equals("HEAD") && methods.contains("GET"));
	}

	private static @Nullable PathPattern best(Set<PathPattern> sorted, PathContainer path) {
		return sorted.stream().filter((pattern) -> pattern.matches(path)).findFirst().orElse(null);
	}

	private String withinApplication(String path) {
		return without(this.servletPath.get(), without(this.contextPath.get(), path));
	}

	private static String without(String prefix, String path) {
		return (!prefix.isEmpty() && (path.startsWith(prefix + "/") || path.equals(prefix)))
				? path.substring(prefix.length()) : path;
	}

	private List<String> parts(PathPattern pattern, PathContainer path) {
		PathPattern.PathMatchInfo match = pattern.matchAndExtract(path);
		return MatchedPath.parts(pattern.getPatternString(), (match != null) ? match.getUriVariables() : Map.of(),
				() -> this.servletPath.get() + decoded(path));
	}

	/** Decoded and without matrix parameters, as the container reports a path. */
	private static String decoded(PathContainer path) {
		return path.elements()
			.stream()
			.map((element) -> (element instanceof PathSegment segment) ? segment.valueToMatch() : element.value())
			.collect(Collectors.joining());
	}

	private static BadRequestException unusable(String reason, List<Mapping> mapped) {
		return new BadRequestException(reason + ". The requests of this operation are "
				+ mapped.stream().flatMap((mapping) -> mapping.requests().stream()).limit(10).toList());
	}

	/** An operation, and the requests that are mapped to it. */
	record Mapping(Operation operation, RequestMappingInfo info) {

		/** Sorted; none if all are mapped. */
		List<String> methods() {
			return this.info.getMethodsCondition().getMethods().stream().map(RequestMethod::name).sorted().toList();
		}

		/** The most specific first, or {@code null} if paths are matched as texts. */
		@Nullable Set<PathPattern> patterns() {
			PathPatternsRequestCondition condition = this.info.getPathPatternsCondition();
			return (condition != null) ? new TreeSet<>(condition.getPatterns()) : null;
		}

		/** Texts such as {@code POST /orders}. */
		List<String> requests() {
			String methods = methods().isEmpty() ? "*" : String.join(",", methods());
			return this.info.getPatternValues().stream().sorted().map((pattern) -> methods + " " + pattern).toList();
		}

	}

	record Matched(String method, List<String> parts) {
	}

}
