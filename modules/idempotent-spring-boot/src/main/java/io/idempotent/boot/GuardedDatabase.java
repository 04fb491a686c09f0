package io.idempotent.boot;

import java.util.Arrays;
import java.util.stream.Collectors;

import javax.sql.DataSource;

import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.NoUniqueBeanDefinitionException;

/**
 * The database whose transactions are guarded by receipts and fences.
 *
 * @param dataSource its data source
 */
record GuardedDatabase(DataSource dataSource) {

	private static final String PROPERTY = "idempotent.guard.data-source";

	/**
	 * Chooses the data source: by name, or the only or primary one.
	 * @param beans the beans of the application
	 * @param name the name of the bean, or {@code null} if none was given
	 * @throws InvalidConfigurationException naming the candidates, if it is not clear
	 * which one is meant
	 */
	static GuardedDatabase choose(ListableBeanFactory beans, @Nullable String name) {
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

}
