package io.idempotent.method;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Collections;
import java.util.Optional;

import io.idempotent.OutcomeRecoverer;
import io.idempotent.OutcomeRecoverer.EffectiveOperation;
import io.idempotent.store.OperationKey;
import io.idempotent.submission.Decision.RecoveredResult;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.NoSuchBeanDefinitionException;
import org.springframework.util.ClassUtils;

/**
 * Rebuilds the result of a method by the application's {@link OutcomeRecoverer}.
 */
public record ResultRecovery(OutcomeRecoverer bean, Method method, String operation) {

	private static final Log logger = LogFactory.getLog(ResultRecovery.class);

	/** Throws if there is no bean of this name that rebuilds the value of the method. */
	public static ResultRecovery of(BeanFactory beans, String name, Method method, String operation) {
		try {
			return new ResultRecovery(beans.getBean(name, OutcomeRecoverer.class), method, operation);
		}
		catch (NoSuchBeanDefinitionException ex) {
			throw new IllegalArgumentException("its recoverer is '" + name
					+ "', but there is no such bean: define one of type " + OutcomeRecoverer.class.getName(), ex);
		}
	}

	/** {@code null} if the value cannot be rebuilt. */
	public @Nullable RecoveredResult recover(OperationKey key, String keyValue, @Nullable Object[] arguments) {
		EffectiveOperation asked = new EffectiveOperation(this.operation, key.encoded(), keyValue,
				Collections.unmodifiableList(Arrays.asList(arguments)));
		try {
			Optional<?> value = this.bean.recover(asked);
			Class<?> type = this.method.getReturnType();
			if (value.isEmpty()) {
				return null;
			}
			if (type == void.class || ClassUtils.isAssignableValue(type, value.get())) {
				return new RecoveredResult(value.get());
			}
			logger.error("The OutcomeRecoverer of operation '" + this.operation + "' gave a "
					+ value.get().getClass().getName() + ", but its method returns " + type.getName());
		}
		catch (Throwable ex) {
			logger.error("The OutcomeRecoverer of operation '" + this.operation + "' (key " + key + ") failed", ex);
		}
		return null;
	}

}
