package io.idempotent.persistence;

import java.util.List;
import java.util.concurrent.CyclicBarrier;

import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * A process that pays with each library at once, and dies when all payments are committed
 * and none of them is recorded.
 */
final class PayingProcess {

	/** The exit code of a process that died as planned. */
	static final int DIED = 86;

	static final List<String> LIBRARIES = List.of("MyBatis", "jOOQ", "JdbcClient", "JPA");

	private PayingProcess() {
	}

	/**
	 * Starts the process.
	 * @param arguments the addresses of both databases
	 */
	public static void main(String[] arguments) {
		CyclicBarrier allCommitted = new CyclicBarrier(LIBRARIES.size(), () -> Runtime.getRuntime().halt(DIED));
		Shops shops = Shops.start(arguments[0], arguments[1],
				() -> TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {

					@Override
					public void afterCommit() {
						await(allCommitted);
					}

				}));
		LIBRARIES.forEach((library) -> new Thread(() -> shops.pay(library, payment(library)), library).start());
	}

	static String payment(String library) {
		return "before the crash, by " + library;
	}

	private static void await(CyclicBarrier barrier) {
		try {
			barrier.await();
		}
		catch (Exception ex) {
			throw new IllegalStateException(ex);
		}
	}

}
