package io.idempotent.kafka;

import java.util.List;

import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.support.GenericApplicationContext;

/**
 * The application in this JVM.
 *
 * @param context what runs
 * @param tally what happened to its deliveries
 */
record RunningShop(ConfigurableApplicationContext context, Tally tally) implements AutoCloseable {

	static RunningShop start(Class<?> listener, Incident incident, List<String> arguments) {
		Tally tally = new Tally();
		return new RunningShop(
				new SpringApplicationBuilder(Shop.class, listener).initializers((GenericApplicationContext context) -> {
					context.registerBean(Incident.class, () -> incident);
					context.registerBean(Tally.class, () -> tally);
				}).run(arguments.toArray(String[]::new)), tally);
	}

	/**
	 * Leaves the group in order.
	 */
	@Override
	public void close() {
		this.context.close();
	}

}
