package io.idempotent.boot.internal.store;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;

import io.idempotent.jdbc.receipt.ReceiptGuard;
import io.idempotent.lock.fence.FenceGuard;
import io.idempotent.lock.jdbc.JdbcLockEngine;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.core.io.ClassPathResource;

import static org.assertj.core.api.Assertions.assertThat;

class RequiredTableColumnsTests {

	@Test
	void areReadFromTheScript() {
		assertThat(RequiredTable.columns(JdbcLockEngine.class, "idempotent_lock")).containsEntry("name", 255)
			.containsEntry("owner", 100)
			.containsEntry("token", 0)
			.hasSize(8);
		assertThat(RequiredTable.columns(JdbcLockEngine.class, "idempotent_lock_reader")).containsOnlyKeys("name",
				"owner", "expires_at");
	}

	@ParameterizedTest
	@ValueSource(classes = { JdbcLockEngine.class, FenceGuard.class, ReceiptGuard.class })
	void areTheSameForAllDatabases(Class<?> owner) throws IOException {
		String expected = columns(owner, "h2");
		assertThat(expected).isNotEmpty();
		for (String platform : new String[] { "postgresql", "mysql", "mariadb" }) {
			assertThat(columns(owner, platform)).as(platform).isEqualTo(expected);
		}
	}

	private static String columns(Class<?> owner, String platform) throws IOException {
		String script = new ClassPathResource("schema-" + platform + ".sql", owner)
			.getContentAsString(StandardCharsets.UTF_8);
		StringBuilder columns = new StringBuilder();
		Pattern.compile(
				"(?m)^(?:create table if not exists (\\w+)|\\t(?!primary key|index|key )(\\w+) (varchar\\(\\d+\\))?)")
			.matcher(script)
			.results()
			.forEach((found) -> columns.append(found.group(1))
				.append(' ')
				.append(found.group(2))
				.append(' ')
				.append(found.group(3))
				.append('\n'));
		return columns.toString();
	}

}
