package io.idempotent.steps.internal;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

import io.idempotent.steps.OperationSteps;
import io.idempotent.steps.internal.StoredStep.State;
import io.idempotent.store.StoreUnavailableException;
import org.jspecify.annotations.Nullable;

import org.springframework.core.NestedExceptionUtils;
import org.springframework.core.io.ClassPathResource;
import org.springframework.dao.DataAccessException;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.core.RedisTemplate;
import org.springframework.data.redis.core.script.RedisScript;
import org.springframework.data.redis.serializer.RedisSerializer;

/**
 * One hash for each operation. A field {@code step:<name>} begins with {@value #STARTED},
 * before the reason if the result of its call could not be stored, or with
 * {@value #DONE}, before the result; an empty one has been withdrawn. The scripts compare
 * the owner.
 */
final class RedisSteps implements StepStore {

	private static final String STEP = "step:";

	private static final char STARTED = 'S';

	private static final char DONE = 'D';

	private static final RedisScript<List<?>> TAKE_OVER = script("take-over", List.class);

	private static final RedisScript<Long> WRITE = script("write", Long.class);

	private final RedisTemplate<byte[], byte[]> redis = new RedisTemplate<>();

	private final String prefix;

	private final Duration retention;

	/** The time to live is that after the last attempt began. */
	RedisSteps(RedisConnectionFactory connections, String keyPrefix, Duration retention) {
		this.redis.setConnectionFactory(connections);
		this.redis.setDefaultSerializer(RedisSerializer.byteArray());
		this.redis.afterPropertiesSet();
		this.prefix = keyPrefix + "steps:";
		this.retention = retention;
	}

	@SuppressWarnings("unchecked")
	private static <T> RedisScript<T> script(String name, Class<?> type) {
		return RedisScript.of(new ClassPathResource(name + ".lua", OperationSteps.class), (Class<T>) type);
	}

	@Override
	public Optional<List<StoredStep>> takeOver(StepAttempt attempt, byte @Nullable [] arguments) {
		List<?> fields = run("take over the steps of operation '" + attempt.operation() + "'", TAKE_OVER, attempt,
				attempt.owner().bytes(), attempt.fingerprint().digest().bytes(), bytes(attempt.operation()),
				bytes(attempt.node()), bytes(Long.toString(this.retention.toMillis())), attempt.key().digest().bytes());
		if (fields.isEmpty()) {
			return Optional.empty();
		}
		List<StoredStep> steps = new ArrayList<>();
		for (int i = 0; i < fields.size(); i += 2) {
			String field = text((byte[]) fields.get(i));
			byte[] value = (byte[]) fields.get(i + 1);
			if (field.startsWith(STEP) && value.length > 0) {
				steps.add(step(field.substring(STEP.length()), value));
			}
		}
		return Optional.of(steps);
	}

	private static StoredStep step(String name, byte[] value) {
		return (value[0] == DONE) ? new StoredStep(name, State.DONE, Arrays.copyOfRange(value, 1, value.length))
				: (value.length > 1) ? StoredStep.withoutResult(name) : StoredStep.of(name, State.STARTED);
	}

	@Override
	public boolean start(StepAttempt attempt, String name) {
		return write("record the start of step '" + name + "'", attempt, name, "", bytes(STARTED + ""));
	}

	@Override
	public void withdraw(StepAttempt attempt, String name) {
		write("withdraw the start of step '" + name + "'", attempt, name, STARTED + "", new byte[0]);
	}

	@Override
	public boolean mayRepeat(StepAttempt attempt, String name) {
		return write("check the owner of step '" + name + "'", attempt, name, STARTED + "", bytes(STARTED + ""));
	}

	@Override
	public boolean finish(StepAttempt attempt, String name, byte[] result) {
		byte[] value = new byte[result.length + 1];
		value[0] = DONE;
		System.arraycopy(result, 0, value, 1, result.length);
		return write("record the result of step '" + name + "'", attempt, name, STARTED + "", value);
	}

	/** Nobody would read the error of a step that is called again. */
	@Override
	public void fail(StepAttempt attempt, StoredStep step, String error, boolean tookEffect) {
		if (tookEffect) {
			write("record the effect of step '" + step.name() + "'", attempt, step.name(), STARTED + "",
					bytes(STARTED + error));
		}
	}

	@Override
	public void note(StepAttempt attempt, String reason) {
	}

	/** If the step begins with what is expected; nothing is expected of a new one. */
	private boolean write(String what, StepAttempt attempt, String name, String expected, byte[] value) {
		return run(what, WRITE, attempt, attempt.owner().bytes(), bytes(STEP + name), bytes(expected), value) == 1;
	}

	private <T> T run(String what, RedisScript<T> script, StepAttempt attempt, byte[]... arguments) {
		try {
			return Objects.requireNonNull(this.redis.execute(script,
					List.of(bytes(this.prefix + attempt.key().encoded())), (Object[]) arguments));
		}
		catch (DataAccessException ex) {
			throw new StoreUnavailableException(
					"Redis did not " + what + " (" + NestedExceptionUtils.getMostSpecificCause(ex).getMessage() + ")",
					ex);
		}
	}

	private static byte[] bytes(String text) {
		return text.getBytes(StandardCharsets.UTF_8);
	}

	private static String text(byte[] bytes) {
		return new String(bytes, StandardCharsets.UTF_8);
	}

}
