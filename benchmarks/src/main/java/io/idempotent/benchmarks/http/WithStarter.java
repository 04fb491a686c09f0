package io.idempotent.benchmarks.http;

import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.context.annotation.Import;

/**
 * The application with the starter.
 */
@SpringBootConfiguration
@EnableAutoConfiguration(exclude = DataSourceAutoConfiguration.class)
@Import({ PlainHandlers.class, IdempotentHandlers.class })
class WithStarter {

	public static void main(String[] arguments) {
		Child.run(WithStarter.class, arguments);
	}

}
