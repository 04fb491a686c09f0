package io.idempotent.administration.autoconfigure;

import java.util.Collection;
import java.util.List;
import java.util.TreeMap;
import java.util.function.Supplier;

import io.idempotent.method.IdempotentMethods;
import io.idempotent.method.internal.call.CallKeys;
import io.idempotent.method.json.ResultCodec;
import io.idempotent.store.OperationKey;
import io.idempotent.submission.policy.DeclaredPolicy;
import org.jspecify.annotations.Nullable;

/**
 * The operations that are method calls: annotated methods, batches, and those that an
 * {@code IdempotencyTemplate} has run on this node.
 */
final class CallCatalog implements OperationCatalog {

	private final IdempotentMethods methods;

	private final Supplier<Collection<String>> templates;

	private final Supplier<Collection<String>> batches;

	private final CallKeys keys;

	CallCatalog(IdempotentMethods methods, Supplier<Collection<String>> templates, Supplier<Collection<String>> batches,
			String namespace) {
		this.methods = methods;
		this.templates = templates;
		this.batches = batches;
		this.keys = new CallKeys(namespace, null);
	}

	@Override
	public String entrance() {
		return "method";
	}

	@Override
	public List<Description> operations() {
		TreeMap<String, Description> found = new TreeMap<>();
		for (IdempotentMethods.Described method : this.methods.known()) {
			String source = method.ofCaller() ? "HEADER" : "CONTENT";
			found.put(method.operation(), describe(method.operation(), source, method.expression(), method.declared()));
		}
		for (String name : this.batches.get()) {
			found.computeIfAbsent(name, (absent) -> describe(name, "CONTENT", null, DeclaredPolicy.MESSAGE));
		}
		for (String name : this.templates.get()) {
			found.computeIfAbsent(name, (absent) -> describe(name, "CONTENT", null, DeclaredPolicy.NONE));
		}
		return List.copyOf(found.values());
	}

	private static Description describe(String name, String source, @Nullable String expression,
			DeclaredPolicy declared) {
		return new Description(name, source, expression, List.of(), declared, null);
	}

	/** Code may give any name to a template, so every operation has keys here. */
	@Override
	public List<OperationKey> keys(String operation, SentKey sent) {
		if (isOfCaller(operation) && !sent.key().isEmpty()) {
			return List.of(this.keys.sent(operation, OperationKey.caller(sent.caller(), sent.tenant(), sent.session()),
					sent.key()));
		}
		List<OperationKey> found = this.keys.written(operation, sent.key());
		if (found.isEmpty()) {
			throw new BadRequestException("A call with an empty key is refused and has no record: give the value of "
					+ "the key, as text or as JSON");
		}
		return found;
	}

	private boolean isOfCaller(String operation) {
		return this.methods.known()
			.stream()
			.anyMatch((method) -> method.operation().equals(operation) && method.ofCaller());
	}

	@Override
	public StoredAnswer read(byte[] answer) {
		return new StoredAnswer(null, "application/json", ResultCodec.json(answer));
	}

}
