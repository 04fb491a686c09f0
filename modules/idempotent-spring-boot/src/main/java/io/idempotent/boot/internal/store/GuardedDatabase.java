package io.idempotent.boot.internal.store;

import java.util.Arrays;
import java.util.stream.Collectors;

import javax.sql.DataSource;

import io.idempotent.boot.settings.InvalidConfigurationException;
import io.idempotent.boot.settings.OptionalModule;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.NoUniqueBeanDefinitionException;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.util.ClassUtils;

/**
 * The database whose transactions are guarded by receipts and fences.
 */
public record GuardedDatabase(DataSource dataSource) {

	private static final String PROPERTY = "idempotent.guard.data-source";

	private static final String SPRING_BOOT_JDBC = "org.springframework.boot.jdbc.init.DataSourceScriptDatabaseInitializer";

	private static final String AUTO_CONFIGURATION = "io.idempotent.boot.GuardAutoConfiguration";

	/** Without a name, the only or primary database. A failure names the candidates. */
	public static GuardedDatabase choose(ListableBeanFactory beans, @Nullable String name) {
		if (name != null && !name.isEmpty()) {
			return byName(beans, name);
		}
		try {
			return new GuardedDatabase(beans.getBean(DataSource.class));
		}
		catch (NoUniqueBeanDefinitionException ex) {
			throw new InvalidConfigurationException("idempotent.guard.enabled", "true", "there are several DataSource "
					+ "beans, none of them is @Primary, and receipts and fences belong to one: " + candidates(beans),
					"Name the database in which operations take effect: " + PROPERTY + "=<name of the bean>");
		}
	}

	private static GuardedDatabase byName(ListableBeanFactory beans, String name) {
		if (!beans.containsBean(name) || !beans.isTypeMatch(name, DataSource.class)) {
			throw new InvalidConfigurationException(PROPERTY, name, "there is no DataSource bean of this name",
					"Write one of " + candidates(beans));
		}
		return new GuardedDatabase(beans.getBean(name, DataSource.class));
	}

	private static String candidates(ListableBeanFactory beans) {
		return Arrays.stream(beans.getBeanNamesForType(DataSource.class)).sorted().collect(Collectors.joining(", "));
	}

	/**
	 * Fails if there is no database, or if required receipts lack their module or
	 * auto-configuration: the application would rely on guards that are never written.
	 */
	public static void requireUsable(ObjectProvider<DataSource> dataSources, boolean receiptsRequired) {
		boolean hasJdbc = ClassUtils.isPresent(SPRING_BOOT_JDBC, GuardedDatabase.class.getClassLoader());
		if (!hasJdbc || dataSources.stream().findAny().isEmpty()) {
			throw refused(
					(hasJdbc ? "there is no DataSource bean" : "spring-boot-jdbc is not on the class path")
							+ ", so that no receipt and no fence could be written",
					"Add spring-boot-starter-jdbc (or -data-jpa) with a driver and configure a database "
							+ "(spring.datasource.url), or remove idempotent.guard.enabled");
		}
		if (receiptsRequired && !OptionalModule.JDBC.isPresent()) {
			throw refused(OptionalModule.JDBC.reason() + ", so that no receipt could be written",
					OptionalModule.JDBC.action()
							+ ", or, for fences alone, set idempotent.guard.receipt.enabled=false");
		}
		if (receiptsRequired) {
			throw refused(
					AUTO_CONFIGURATION
							+ " is excluded, or found no DataSource bean when its conditions were evaluated, "
							+ "so that no receipt could be written",
					"Do not exclude it (spring.autoconfigure.exclude, or exclude of @SpringBootApplication), define the "
							+ "DataSource in a @Configuration class, or remove idempotent.guard.enabled");
		}
	}

	private static InvalidConfigurationException refused(String reason, String action) {
		return new InvalidConfigurationException("idempotent.guard.enabled", "true", reason, action);
	}

}
