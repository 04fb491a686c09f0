package io.idempotent.webmvc;

import org.jspecify.annotations.Nullable;

/**
 * Who submits. Two requests are of one caller if name and tenant are equal; what one
 * caller did is never shown to another.
 *
 * @param name what tells this caller from all others of the tenant, or {@code null} if
 * the caller is anonymous. A blank name stands for a caller who is authenticated and has
 * no name: such a caller is refused, since any other one without a name would be the same
 * @param tenant the tenant, or {@code null} if there is none
 */
public record Caller(@Nullable String name, @Nullable String tenant) {

	/** A caller of whom nothing is known. All anonymous callers are one. */
	public static final Caller ANONYMOUS = new Caller(null, null);

	/**
	 * A caller without a tenant, who is known. If the name is missing, the caller is
	 * refused, and never taken for {@linkplain #ANONYMOUS anonymous}.
	 * @param name what tells this caller from all others; {@code null} counts as blank
	 * @return the caller
	 */
	public static Caller named(@Nullable String name) {
		return new Caller((name != null) ? name : "", null);
	}

	/**
	 * The same caller in a tenant.
	 * @param of the tenant, or {@code null} if there is none
	 * @return the caller
	 */
	public Caller inTenant(@Nullable String of) {
		return new Caller(this.name, of);
	}

	/**
	 * Whether it is a caller who should have a name and has none.
	 */
	boolean isUnnamed() {
		return this.name != null && this.name.isBlank();
	}

}
