package io.idempotent.boot;

import javax.sql.DataSource;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.util.ClassUtils;

/**
 * Fails the start if guards are enabled without a database, or receipts without their
 * module or auto-configuration: the application would rely on receipts and fences that
 * are never written.
 */
final class GuardedDatabaseCheck implements SmartInitializingSingleton {

	private static final String SPRING_BOOT_JDBC = "org.springframework.boot.jdbc.init.DataSourceScriptDatabaseInitializer";

	private final ObjectProvider<DataSource> dataSources;

	private final boolean receiptsRequired;

	GuardedDatabaseCheck(ObjectProvider<DataSource> dataSources, boolean receiptsRequired) {
		this.dataSources = dataSources;
		this.receiptsRequired = receiptsRequired;
	}

	@Override
	public void afterSingletonsInstantiated() {
		boolean hasJdbc = ClassUtils.isPresent(SPRING_BOOT_JDBC, getClass().getClassLoader());
		if (!hasJdbc || this.dataSources.stream().findAny().isEmpty()) {
			throw refused(
					(hasJdbc ? "there is no DataSource bean" : "spring-boot-jdbc is not on the class path")
							+ ", so that no receipt and no fence could be written",
					"Add spring-boot-starter-jdbc (or -data-jpa) with a driver and configure a database "
							+ "(spring.datasource.url), or remove idempotent.guard.enabled");
		}
		if (this.receiptsRequired && !OptionalModule.JDBC.isPresent()) {
			throw refused(OptionalModule.JDBC.reason() + ", so that no receipt could be written",
					OptionalModule.JDBC.action()
							+ ", or, for fences alone, set idempotent.guard.receipt.enabled=false");
		}
		if (this.receiptsRequired) {
			throw refused(GuardAutoConfiguration.class.getName() + " is excluded, so that no receipt could be written",
					"Do not exclude it (spring.autoconfigure.exclude, or exclude of @SpringBootApplication), "
							+ "or remove idempotent.guard.enabled");
		}
	}

	private static InvalidConfigurationException refused(String reason, String action) {
		return new InvalidConfigurationException("idempotent.guard.enabled", "true", reason, action);
	}

}
