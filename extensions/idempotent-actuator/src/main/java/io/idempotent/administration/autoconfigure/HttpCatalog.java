package io.idempotent.administration.autoconfigure;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

import io.idempotent.KeySource;
import io.idempotent.SubmissionRefusedException;
import io.idempotent.administration.autoconfigure.RequestPaths.Mapping;
import io.idempotent.store.OperationKey;
import io.idempotent.submission.policy.DeclaredPolicy;
import io.idempotent.webmvc.internal.HttpIdempotency;
import io.idempotent.webmvc.internal.key.KeyReader;
import io.idempotent.webmvc.internal.key.TokenService;
import io.idempotent.webmvc.internal.key.TokenService.Token;
import io.idempotent.webmvc.internal.operation.HttpSettings;
import io.idempotent.webmvc.internal.operation.Operation;
import io.idempotent.webmvc.internal.response.StoredResponse;

/** The operations that are HTTP requests. */
final class HttpCatalog implements OperationCatalog {

	private final HttpIdempotency idempotency;

	private final RequestPaths paths;

	private final TokenService tokens;

	private final HttpSettings settings;

	HttpCatalog(HttpIdempotency idempotency, RequestPaths paths) {
		this.idempotency = idempotency;
		this.paths = paths;
		this.tokens = idempotency.tokens().service();
		this.settings = idempotency.settings();
	}

	@Override
	public String entrance() {
		return "http";
	}

	@Override
	public List<Description> operations() {
		Map<String, Description> found = new TreeMap<>();
		for (Mapping mapping : mappings()) {
			found.merge(mapping.operation().name(), describe(mapping), HttpCatalog::join);
		}
		return List.copyOf(found.values());
	}

	private List<Mapping> mappings() {
		return this.idempotency.handlers()
			.stream()
			.flatMap((handler) -> Stream.ofNullable(handler.operation())
				.map((operation) -> new Mapping(operation, handler.info())))
			.toList();
	}

	private static Description describe(Mapping mapping) {
		Operation operation = mapping.operation();
		return new Description(operation.name(), operation.source().name(),
				(operation.expression() != null) ? operation.expression().text() : null, mapping.requests(),
				DeclaredPolicy.of(operation.annotation()), operation.annotation());
	}

	private static Description join(Description one, Description other) {
		return new Description(one.name(), one.key(), one.expression(),
				Stream.concat(one.mappings().stream(), other.mappings().stream()).toList(), one.declared(),
				one.annotation());
	}

	@Override
	public List<OperationKey> keys(String operation, SentKey sent) {
		List<Mapping> mapped = mappings().stream()
			.filter((mapping) -> mapping.operation().name().equals(operation))
			.toList();
		return List.of(key(mapped, sent));
	}

	private OperationKey key(List<Mapping> mapped, SentKey sent) {
		Operation operation = mapped.get(0).operation();
		List<String> caller = OperationKey.caller(sent.caller(), sent.tenant(), sent.session());
		try {
			if (operation.source() == KeySource.TOKEN) {
				return ofToken(operation, sent.key(), caller);
			}
			if (operation.expression() != null) {
				return operation.key(this.settings.namespace(), caller, sent.key());
			}
			return atPath(mapped, caller, sent);
		}
		catch (SubmissionRefusedException ex) {
			throw new BadRequestException("A submission with this key is refused as '" + ex.refusal().code()
					+ "' and has no record: give the key as the client sent it");
		}
	}

	private OperationKey ofToken(Operation operation, String value, List<String> caller) {
		Token token = this.tokens.recognise(KeyReader.token(value, operation.name()), caller, operation.name());
		if (token == null) {
			throw new BadRequestException("The token was not issued to this caller for this operation: check caller, "
					+ "tenant and session, or look the record up by its id");
		}
		return token.key();
	}

	private OperationKey atPath(List<Mapping> mapped, List<String> caller, SentKey sent) {
		Operation operation = mapped.get(0).operation();
		if (operation.source() == KeySource.CONTENT) {
			throw new BadRequestException("The key is the whole content of the request: look the record up by its id, "
					+ "which the log shows");
		}
		RequestPaths.Matched request = this.paths.match(mapped, sent.method(), sent.path());
		return operation.keyAtPath(this.settings.namespace(), caller, request.method(), request.parts(),
				KeyReader.key(sent.key(), this.settings.protocol().keySyntax(), operation.name()));
	}

	@Override
	public StoredAnswer read(byte[] answer) {
		StoredResponse response = StoredResponse.decode(answer);
		return new StoredAnswer(response.status(), response.contentType(), response.body());
	}

}
