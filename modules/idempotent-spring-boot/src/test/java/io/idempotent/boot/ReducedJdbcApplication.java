package io.idempotent.boot;

import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;

/**
 * The application with a web server on the JDBC store, which tells what is in its table.
 */
final class ReducedJdbcApplication {

	private ReducedJdbcApplication() {
	}

	public static void main(String[] arguments) {
		SpringApplication application = new SpringApplication(ReducedWebApplication.Sources.class);
		try (ConfigurableApplicationContext context = application.run("--idempotent.store.type=jdbc",
				"--spring.main.banner-mode=off", "--server.port=0", "--idempotent.store.jdbc.initialize-schema=always",
				"--spring.datasource.url=jdbc:h2:mem:records")) {
			ReducedWebApplication.submitThrice(context);
			System.out.println("Records: " + context.getBean(JdbcTemplate.class)
				.queryForObject("select count(*) from idempotent_record where state = 3", Integer.class));
		}
	}

}
