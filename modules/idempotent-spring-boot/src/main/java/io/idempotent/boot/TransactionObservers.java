package io.idempotent.boot;

import java.util.ArrayList;
import java.util.List;

import io.idempotent.transaction.TransactionObserver;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.transaction.ConfigurableTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionExecutionListener;

/**
 * Registers the {@link TransactionObserver} with every transaction manager of the
 * application. Spring Boot does so only for those that it creates, and a transaction of
 * another one would leave no receipt.
 */
final class TransactionObservers implements BeanPostProcessor {

	private final ObjectProvider<TransactionObserver> observers;

	TransactionObservers(ObjectProvider<TransactionObserver> observers) {
		this.observers = observers;
	}

	@Override
	public Object postProcessAfterInitialization(Object bean, String name) {
		if (bean instanceof PlatformTransactionManager && bean instanceof ConfigurableTransactionManager manager) {
			List<TransactionExecutionListener> listeners = new ArrayList<>(manager.getTransactionExecutionListeners());
			this.observers.orderedStream()
				.filter((observer) -> !listeners.contains(observer))
				.forEachOrdered(listeners::add);
			manager.setTransactionExecutionListeners(listeners);
		}
		return bean;
	}

}
