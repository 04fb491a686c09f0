package io.idempotent.messaging;

import java.util.Arrays;

import io.idempotent.testing.JavaProcess;
import io.idempotent.testing.StandStill;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * What both applications have.
 */
@SpringBootConfiguration(proxyBeanMethods = false)
@EnableAutoConfiguration
@Import(Tally.class)
class Shop {

	/**
	 * The application with a listener, which stops at its first payment, to be killed
	 * there.
	 */
	public static void main(String[] arguments) throws Exception {
		new SpringApplicationBuilder(Shop.class, Class.forName(arguments[0]))
			.initializers((GenericApplicationContext context) -> context.registerBean(Incident.class,
					() -> StandStill::afterCommit))
			.run(Arrays.copyOfRange(arguments, 1, arguments.length));
		JavaProcess.endWithParent();
	}

	@Bean
	Ledger ledger(JdbcClient database, ObjectProvider<Incident> incident) {
		return new Ledger(database, incident.getIfAvailable(() -> Incident.NONE));
	}

}
