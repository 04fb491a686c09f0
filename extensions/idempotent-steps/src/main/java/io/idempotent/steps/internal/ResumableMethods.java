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
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.stream.Stream;

import io.idempotent.method.json.ResultCodec;
import org.jspecify.annotations.Nullable;

import org.springframework.core.GenericTypeResolver;
import org.springframework.util.ReflectionUtils;

/**
 * The methods that are called again if nobody repeats them. Safe for use by several
 * threads.
 */
public final class ResumableMethods {

	private final Map<String, ResumableMethod> methods = new ConcurrentHashMap<>();

	private final StepResults types;

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

	@Nullable ResumableMethod find(String operation) {
		return this.methods.get(operation);
	}

	/** A method, with what stores each of its arguments. */
	record ResumableMethod(String operation, Method method, List<ResultCodec> codecs, Supplier<?> bean) {

		/** Throws an {@link IllegalArgumentException} if one cannot be stored. */
		byte[] encode(List<@Nullable Object> arguments) {
			ByteArrayOutputStream bytes = new ByteArrayOutputStream();
			try (DataOutputStream out = new DataOutputStream(bytes)) {
				for (int i = 0; i < this.codecs.size(); i++) {
					byte[] encoded = StepResults.encode(this.codecs.get(i), arguments.get(i),
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
			for (ResultCodec codec : this.codecs) {
				decoded.add(codec.decode(in.readNBytes(in.readInt())));
			}
			if (in.available() > 0) {
				throw new IllegalArgumentException(
						this.method + " has fewer parameters than when its arguments were stored");
			}
			return decoded.toArray();
		}

	}

}
