package io.idempotent.steps.internal;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.stream.Stream;

import io.idempotent.method.json.ResultCodec;
import io.idempotent.store.OperationKey;
import io.idempotent.submission.SubmissionContext;
import org.jspecify.annotations.Nullable;

import org.springframework.core.GenericTypeResolver;
import org.springframework.util.ReflectionUtils;

/**
 * The methods that are called again if nobody repeats them. Safe for use by several
 * threads.
 */
public final class ResumableMethods {

	private static final byte[] NOT_RESUMABLE = {};

	private final Map<String, ResumableMethod> methods = new ConcurrentHashMap<>();

	private final StepResults types;

	/** What is called again on this thread, until it is entered. */
	// Not static, so that applications in one JVM do not share it. Removed after calls.
	@SuppressWarnings("ThreadLocalUsage")
	private final ThreadLocal<@Nullable Resumed> resumed = new ThreadLocal<>();

	ResumableMethods(StepResults types) {
		this.types = types;
	}

	/**
	 * Registers a method.
	 * @param operation its name
	 * @param bean supplies the bean
	 * @throws IllegalArgumentException if its arguments cannot be stored
	 */
	public void add(String operation, Method method, Class<?> type, Supplier<?> bean) {
		List<ResultCodec> codecs = Stream.of(method.getGenericParameterTypes())
			.map((parameter) -> this.types.of(GenericTypeResolver.resolveType(parameter, type)))
			.toList();
		ReflectionUtils.makeAccessible(method);
		this.methods.put(operation, new ResumableMethod(operation, method, codecs, bean));
	}

	Set<String> operations() {
		return this.methods.keySet();
	}

	/** Encodes the arguments at once, since the method may change them. */
	public void entered(SubmissionContext context, @Nullable Object[] arguments) {
		context.attribute(this, () -> encode(context.submission().key(), context.operation(), arguments));
	}

	/** Those to be stored, or {@code null} if the operation is not resumable. */
	byte @Nullable [] arguments(SubmissionContext context) {
		byte[] encoded = (byte[]) context.attribute(this, () -> NOT_RESUMABLE);
		return (encoded != NOT_RESUMABLE) ? encoded : null;
	}

	/**
	 * Those of a call from {@link #call} are the stored ones: what is written again may
	 * differ, as after a change of a type.
	 */
	byte[] encode(OperationKey key, String operation, @Nullable Object[] arguments) {
		Resumed call = this.resumed.get();
		if (call == null || !call.operation.equals(operation)) {
			return Objects.requireNonNull(this.methods.get(operation)).encode(arguments);
		}
		if (!call.key.equals(key)) {
			throw new IllegalStateException("Operation '" + operation + "' (key " + call.key
					+ ") was called again with its stored arguments, but these give the key " + key
					+ ": JSON must keep whatever the key is made of, so take it from a text or a number");
		}
		this.resumed.remove();
		return call.arguments;
	}

	/** Also if a type of theirs has changed since they were stored. */
	boolean areSame(String operation, byte[] stored, byte @Nullable [] arguments) {
		return Arrays.equals(stored, arguments)
				|| Arrays.equals(Objects.requireNonNull(this.methods.get(operation)).rewrite(stored), arguments);
	}

	/** Throws what the method throws, and a {@link RuntimeException} of its own. */
	void call(OperationKey key, String operation, byte[] arguments) throws Throwable {
		this.resumed.set(new Resumed(key, operation, arguments));
		try {
			Objects.requireNonNull(this.methods.get(operation)).call(arguments);
		}
		finally {
			this.resumed.remove();
		}
	}

	@SuppressWarnings("ArrayRecordComponent")
	private record Resumed(OperationKey key, String operation, byte[] arguments) {
	}

	/** A method, with what stores each of its arguments. */
	private record ResumableMethod(String operation, Method method, List<ResultCodec> codecs, Supplier<?> bean) {

		/** Throws an {@link IllegalArgumentException} if one cannot be stored. */
		byte[] encode(@Nullable Object[] arguments) {
			ByteArrayOutputStream bytes = new ByteArrayOutputStream();
			try (DataOutputStream out = new DataOutputStream(bytes)) {
				for (int i = 0; i < this.codecs.size(); i++) {
					out.writeUTF(name(i));
					byte[] encoded = StepResults.encode(this.codecs.get(i), arguments[i],
							"argument " + (i + 1) + " of operation '" + this.operation + "'");
					out.writeInt(encoded.length);
					out.write(encoded);
				}
			}
			catch (IOException ex) {
				throw new UncheckedIOException(ex);
			}
			return bytes.toByteArray();
		}

		/** As they are stored now; unchanged if they cannot be read. */
		byte[] rewrite(byte[] arguments) {
			try {
				return encode(decode(arguments));
			}
			catch (IOException | RuntimeException ex) {
				return arguments;
			}
		}

		/** Throws what the method throws, and a {@link RuntimeException} of its own. */
		void call(byte[] arguments) throws Throwable {
			try {
				this.method.invoke(this.bean.get(), decode(arguments));
			}
			catch (InvocationTargetException ex) {
				throw ex.getTargetException();
			}
		}

		private @Nullable Object[] decode(byte[] arguments) throws IOException {
			List<@Nullable Object> decoded = new ArrayList<>();
			DataInputStream in = new DataInputStream(new ByteArrayInputStream(arguments));
			for (int i = 0; i < this.codecs.size(); i++) {
				requireName(name(i), (in.available() > 0) ? in.readUTF() : "none");
				decoded.add(this.codecs.get(i).decode(in.readNBytes(in.readInt())));
			}
			requireName("none", (in.available() > 0) ? in.readUTF() : "none");
			return decoded.toArray();
		}

		private String name(int parameter) {
			return this.method.getParameters()[parameter].getName();
		}

		private void requireName(String now, String stored) {
			if (!now.equals(stored)) {
				throw new IllegalArgumentException("The parameters of " + this.method
						+ " have changed since its arguments were stored: where there is '" + now + "' now, there was '"
						+ stored + "'. Deploy the former method, or finish the operation by hand and end it");
			}
		}

	}

}
