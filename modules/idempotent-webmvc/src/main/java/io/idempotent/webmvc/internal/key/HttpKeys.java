package io.idempotent.webmvc.internal.key;

import java.util.ArrayList;
import java.util.List;

import io.idempotent.KeySource;
import io.idempotent.store.OperationKey;
import io.idempotent.webmvc.internal.operation.Operation;

/**
 * Derives the keys of HTTP operations from headers and contents, for submissions and for
 * operators. The keys of tokens are derived by their {@link TokenMint}.
 */
public final class HttpKeys {

	private final String namespace;

	public HttpKeys(String namespace) {
		this.namespace = namespace;
	}

	/**
	 * The key of an operation with a key expression, whose value identifies the operation
	 * at any URL.
	 * @param operation the operation
	 * @param caller the parts that identify the caller
	 * @param value the value of the expression
	 */
	public OperationKey ofExpression(Operation operation, List<String> caller, String value) {
		return of(operation, caller, List.of(), value);
	}

	/**
	 * The key of an operation that is identified by a header or its whole content,
	 * together with method and path. Handler methods that share a path, such as those of
	 * API versions, share header keys: only the fingerprint contains the operation.
	 * @param operation the operation
	 * @param caller the parts that identify the caller
	 * @param method the HTTP method
	 * @param path the parts of the path
	 * @param value the header, or the digest of the content
	 */
	public OperationKey atPath(Operation operation, List<String> caller, String method, List<String> path,
			String value) {
		List<String> place = new ArrayList<>(path.size() + 1);
		place.add(method);
		place.addAll(path);
		return of(operation, caller, place, value);
	}

	private OperationKey of(Operation operation, List<String> caller, List<String> place, String value) {
		List<String> scope = new ArrayList<>(1 + caller.size() + place.size());
		boolean header = operation.source() == KeySource.HEADER;
		scope.add(header ? "header" : "content");
		scope.addAll(caller);
		scope.addAll(place);
		return OperationKey.of(this.namespace, header ? "" : operation.name(), scope, value);
	}

}
