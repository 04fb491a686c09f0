package io.idempotent.webmvc;

import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

/**
 * The caller of an operation. Two requests have the same caller if name and tenant are
 * equal; the response to one caller is never replayed to another.
 *
 * @param name the name, unique within the tenant, or {@code null} if the caller is
 * anonymous. A blank name stands for a caller who is authenticated without a name. Such
 * callers are refused, since they could not be distinguished. So is a name that is the
 * default of {@link Object#toString()}, since it would differ in each request
 * @param tenant the tenant, or {@code null} if there is none
 */
public record Caller(@Nullable String name, @Nullable String tenant) {

	private static final Pattern HASH_CODE = Pattern.compile("[0-9a-f]{1,8}");

	/** An unknown caller. All anonymous callers count as one. */
	public static final Caller ANONYMOUS = new Caller(null, null);

	/**
	 * A known caller without a tenant. A caller whose name is missing is refused, and
	 * does not count as {@linkplain #ANONYMOUS anonymous}.
	 * @param name the unique name; {@code null} counts as blank
	 */
	public static Caller named(@Nullable String name) {
		return new Caller((name != null) ? name : "", null);
	}

	/**
	 * The same caller in a tenant.
	 * @param of the tenant, or {@code null} if there is none
	 */
	public Caller inTenant(@Nullable String of) {
		return new Caller(this.name, of);
	}

	/** Whether the caller is authenticated without a name that distinguishes it. */
	public boolean isUnnamed() {
		return this.name != null && (this.name.isBlank() || isDefaultText(this.name));
	}

	/** A class name with a package, and a hash code. */
	private static boolean isDefaultText(String name) {
		int at = name.lastIndexOf('@');
		int dot = name.lastIndexOf('.', at);
		return dot > 0 && Character.isLowerCase(name.charAt(0)) && Character.isUpperCase(name.charAt(dot + 1))
				&& HASH_CODE.matcher(name.substring(at + 1)).matches();
	}

}
