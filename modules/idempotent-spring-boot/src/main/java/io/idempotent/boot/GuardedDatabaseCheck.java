package io.idempotent.boot;

import javax.sql.DataSource;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.util.ClassUtils;

/**
 * Refuses to start with a guard that has no database to guard: its user would rely on
 * receipts that nobody writes.
 */
final class GuardedDatabaseCheck implements SmartInitializingSingleton {

	private static final String SPRING_BOOT_JDBC = "org.springframework.boot.jdbc.init.DataSourceScriptDatabaseInitializer";

	private final ObjectProvider<DataSource> dataSources;

	GuardedDatabaseCheck(ObjectProvider<DataSource> dataSources) {
		this.dataSources = dataSources;
	}

	@Override
	public void afterSingletonsInstantiated() {
		boolean hasJdbc = ClassUtils.isPresent(SPRING_BOOT_JDBC, getClass().getClassLoader());
		if (!hasJdbc || this.dataSources.stream().findAny().isEmpty()) {
			throw new InvalidConfigurationException("idempotent.guard.enabled", "true", hasJdbc
					? "there is no DataSource bean, so that no receipt and no fence could be written"
					: "spring-boot-jdbc is not on the class path, so that no receipt and no fence could be written",
					"Add spring-boot-starter-jdbc (or -data-jpa) with a driver and configure a database "
							+ "(spring.datasource.url), or remove idempotent.guard.enabled");
		}
	}

}
