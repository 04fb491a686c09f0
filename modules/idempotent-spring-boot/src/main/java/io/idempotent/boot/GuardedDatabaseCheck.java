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

	private final boolean receiptsWanted;

	GuardedDatabaseCheck(ObjectProvider<DataSource> dataSources, boolean receiptsWanted) {
		this.dataSources = dataSources;
		this.receiptsWanted = receiptsWanted;
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
		if (this.receiptsWanted && !OptionalModules.isPresent("io.idempotent.jdbc.receipt.ReceiptGuard")) {
			throw new InvalidConfigurationException("idempotent.guard.enabled", "true",
					"there is no module idempotent-jdbc on the class path, so that no receipt could be written",
					"Add io.idempotent:idempotent-jdbc, or, for fences alone, set idempotent.guard.receipt.enabled=false");
		}
	}

}
