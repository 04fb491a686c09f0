package io.idempotent.testing;

import java.util.Arrays;

import javax.sql.DataSource;

import org.springframework.core.io.ClassPathResource;
import org.springframework.core.io.Resource;
import org.springframework.jdbc.datasource.init.DatabasePopulatorUtils;
import org.springframework.jdbc.datasource.init.ResourceDatabasePopulator;

/**
 * The tables of the modules that are on the class path.
 */
public final class Schemas {

	private Schemas() {
	}

	/**
	 * Creates tables.
	 * @param dataSource where
	 * @param platform whose schema file is taken
	 * @param directories where schema files are, those of absent modules included
	 */
	public static void create(DataSource dataSource, String platform, String... directories) {
		Resource[] scripts = Arrays.stream(directories)
			.map((directory) -> new ClassPathResource("io/idempotent/" + directory + "/schema-" + platform + ".sql"))
			.filter(Resource::exists)
			.toArray(Resource[]::new);
		DatabasePopulatorUtils.execute(new ResourceDatabasePopulator(scripts), dataSource);
	}

}
