package io.idempotent.inbox;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

import io.idempotent.testing.JavaProcess;
import io.idempotent.testing.StandStill;

import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.support.GenericApplicationContext;

/**
 * The application in a JVM of its own, which places orders.
 */
final class Node {

	private Node() {
	}

	/**
	 * Starts a node.
	 * @param name its name, part of the orders' ids
	 * @param orders how many orders it places
	 * @param incident what happens at one reservation
	 * @param reservation at which
	 * @param arguments of the application
	 * @return the process
	 */
	static JavaProcess start(String name, int orders, Stop incident, int reservation, List<String> arguments) {
		List<String> all = new ArrayList<>(
				List.of(name, Integer.toString(orders), incident.name(), Integer.toString(reservation)));
		all.addAll(arguments);
		return JavaProcess.start(Node.class, all);
	}

	/** Kills the node ({@code kill -9}) when it has stopped, and returns the order. */
	static String killWhereItStops(JavaProcess node) {
		String order = node.await(StandStill.REPORT + "(.*)");
		node.kill();
		return order;
	}

	public static void main(String[] arguments) throws IOException {
		Stop stop = Stop.valueOf(arguments[2]);
		AtomicInteger left = new AtomicInteger(Integer.parseInt(arguments[3]));
		Incident incident = (order) -> {
			if (left.decrementAndGet() == 0) {
				stop.happenTo(order);
			}
		};
		ConfigurableApplicationContext context = new SpringApplicationBuilder(Inbox.class)
			.initializers((GenericApplicationContext beans) -> beans.registerBean(Incident.class, () -> incident))
			.run(Arrays.copyOfRange(arguments, 4, arguments.length));
		Thread customer = new Thread(() -> {
			for (int i = 0; i < Integer.parseInt(arguments[1]); i++) {
				context.getBean(Orders.class).place(arguments[0] + "-" + i);
			}
		});
		customer.setDaemon(true);
		customer.start();
		JavaProcess.endWithParent();
	}

	/**
	 * Where a listener stands still.
	 */
	enum Stop implements Incident {

		NOWHERE {
			@Override
			public void happenTo(String order) {
			}
		},

		/** The reservation is made, and not visible to others. */
		BEFORE_COMMIT {
			@Override
			public void happenTo(String order) {
				StandStill.now(order);
			}
		},

		/** The reservation is committed, and neither recorded nor completed. */
		AFTER_COMMIT {
			@Override
			public void happenTo(String order) {
				StandStill.afterCommit(order);
			}
		}

	}

}
