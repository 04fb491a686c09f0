package io.idempotent.testing;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

import javax.sql.DataSource;

import org.springframework.core.io.ByteArrayResource;
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
			.map(Schemas::forTheServersOfTests)
			.toArray(Resource[]::new);
		DatabasePopulatorUtils.execute(new ResourceDatabasePopulator(scripts), dataSource);
	}

	/**
	 * The collation for MySQL came with 8.0.17, two versions after that of the tests, and
	 * H2 stands for SQL Server.
	 */
	private static Resource forTheServersOfTests(Resource script) {
		return Unchecked.call(() -> new ByteArrayResource(script.getContentAsString(StandardCharsets.UTF_8)
			.replace("utf8mb4_0900_bin", "utf8mb4_0900_as_cs")
			.replace(" collate Latin1_General_100_BIN2", "")
			.replaceAll("(?m)^if .* is null$", "")
			.getBytes(StandardCharsets.UTF_8)));
	}

}
