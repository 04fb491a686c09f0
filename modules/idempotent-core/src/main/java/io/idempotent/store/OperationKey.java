package io.idempotent.store;

import java.util.List;

import io.idempotent.support.Digest;

/**
 * The name of one operation: a digest of the namespace (the application), the operation's
 * name, the scope (who, where) and the key value. Nothing a client sent can be read from
 * it or collide in it.
 *
 * @param digest the digest
 */
public record OperationKey(Digest digest) {

	/**
	 * Derives the key of an operation.
	 * @param namespace the application
	 * @param operation the name of the operation
	 * @param scope who submits, and where: a list of a fixed meaning for each operation
	 * @param value the key value, as the client sent it
	 * @return the key
	 */
	public static OperationKey of(String namespace, String operation, List<String> scope, String value) {
		Digest.Builder builder = Digest.sha256().add(namespace).add(operation);
		scope.forEach(builder::add);
		return new OperationKey(builder.add(value).build());
	}

	/**
	 * The key of something that is done on behalf of this operation.
	 * @param purpose what it is done for
	 * @return a key that is the same for every attempt
	 */
	public OperationKey derive(String purpose) {
		return new OperationKey(Digest.sha256().add(this.digest.bytes()).add(purpose).build());
	}

	/**
	 * The key as text.
	 * @return 43 characters of base64url
	 */
	public String encoded() {
		return this.digest.encoded();
	}

	/**
	 * A short hash, for logs.
	 */
	@Override
	public String toString() {
		return this.digest.toString();
	}

}
