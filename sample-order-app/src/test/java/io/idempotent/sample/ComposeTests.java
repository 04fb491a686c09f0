package io.idempotent.sample;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.stream.Collectors;

import io.idempotent.embedded.EmbeddedRedis;
import io.idempotent.testing.TestPostgres;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.yaml.snakeyaml.Yaml;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What the shop does with {@code compose.yaml}. There is no Docker here: a script of its
 * name answers Spring Boot as a Docker would that starts the services of the file, with
 * the ports of a Redis and a PostgreSQL that the test has started. That Docker takes the
 * file, its images and its health checks is not tested.
 */
@Tag("slow")
class ComposeTests {

	private static final String DOCKER = """
			#!/bin/sh
			case "$*" in
			"compose ls") ;;
			"version "*) echo 28.2.2 ;;
			"compose version "*) echo '{"version": "v2.40.0"}' ;;
			"context ls "*) echo '{"Name": "default", "Current": true, "DockerEndpoint": "unix:///var/run/docker.sock"}' ;;
			*" config --format=json") echo '{"name": "shop", "services": %2$s}' ;;
			*" up --no-color --detach --wait") echo >'%1$s/up' ;;
			*" ps --orphans=false --format=json") if [ -f '%1$s/up' ]; then echo '%3$s'; fi ;;
			"inspect "*) echo '%4$s' ;;
			*) exit 1 ;;
			esac
			""";

	private static final String DOCKER_WITHOUT_DAEMON = """
			#!/bin/sh
			echo 'Cannot connect to the Docker daemon' >&2
			exit 1
			""";

	private final JsonMapper json = new JsonMapper();

	@TempDir
	private Path directory;

	private Map<String, Service> services;

	@BeforeEach
	void readComposeFile() throws IOException {
		Object file = new Yaml().load(Files.readString(Path.of("compose.yaml")));
		this.services = this.json.convertValue(file, Compose.class).services();
	}

	@Test
	void imagesHaveVersionsAndHealthChecksAndDockerChoosesPorts() {
		assertThat(this.services).containsOnlyKeys("redis", "postgres").allSatisfy((name, service) -> {
			assertThat(service.image()).matches(name + ":\\d+\\.\\d+(\\.\\d+)?");
			assertThat(service.ports()).singleElement().asString().matches("127\\.0\\.0\\.1::\\d+");
			assertThat(service.healthcheck()).containsKeys("test", "interval", "retries");
		});
	}

	@Test
	void theShopUsesTheServersOfDocker() throws IOException {
		try (EmbeddedRedis redis = EmbeddedRedis.start(); TestPostgres postgres = TestPostgres.start()) {
			JdbcClient server = JdbcClient.create(postgres.dataSource());
			server.sql("create role shop login password 'shop'").update();
			server.sql("create database shop owner shop").update();
			putDocker(docker(Map.of("redis", redis.port(), "postgres", postgres.port())));
			try (Node node = start(this.directory + ":" + System.getenv("PATH"))) {
				assertThat(node.hasItsOwnRedis()).isFalse();
				assertThat(node.shop().submit("/orders", Shop.order("mia", "green-tea", 3)).statusCode())
					.isEqualTo(201);
			}
			JdbcClient database = JdbcClient.create(new DriverManagerDataSource(
					"jdbc:postgresql://localhost:" + postgres.port() + "/shop", "shop", "shop"));
			assertThat(database.sql("select user_id from purchase_order").query(String.class).list())
				.containsExactly("mia");
			assertThat(keys(redis)).isNotEmpty();
		}
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void withoutDockerTheShopBringsItsOwnServers(boolean command) throws IOException {
		if (command) {
			putDocker(DOCKER_WITHOUT_DAEMON);
		}
		// All that the shop's Redis needs.
		Files.createSymbolicLink(this.directory.resolve("rm"), Path.of("/bin/rm"));
		try (Node node = start(this.directory.toString())) {
			assertThat(node.log()).anyMatch((line) -> line.contains("compose.yaml is ignored"));
			assertThat(node.hasItsOwnRedis()).isTrue();
			assertThat(node.shop().submit("/orders", Shop.order("noa", "green-tea", 1)).statusCode()).isEqualTo(201);
		}
	}

	private static Node start(String path) {
		return Node.start(Map.of("PATH", path), "--spring.docker.compose.enabled=true");
	}

	private void putDocker(String script) throws IOException {
		Path file = Files.writeString(this.directory.resolve("docker"), script);
		assertThat(file.toFile().setExecutable(true)).isTrue();
	}

	private String docker(Map<String, Integer> ports) {
		return DOCKER.formatted(this.directory, this.json.writeValueAsString(this.services), lines(
				(name, service) -> Map.of("ID", name, "Name", name, "Image", service.image(), "State", "running")),
				lines((name, service) -> service.inspected(name, ports.get(name))));
	}

	/** A line of JSON for each service. */
	private String lines(BiFunction<String, Service, Object> line) {
		return this.services.entrySet()
			.stream()
			.map((service) -> this.json.writeValueAsString(line.apply(service.getKey(), service.getValue())))
			.collect(Collectors.joining("\n"));
	}

	private static List<String> keys(EmbeddedRedis redis) {
		try (RedisClient client = RedisClient.create(RedisURI.create(redis.host(), redis.port()))) {
			return client.connect().sync().keys("*");
		}
	}

	private record Compose(Map<String, Service> services) {
	}

	private record Service(String image, Map<String, String> environment, List<String> ports,
			Map<String, Object> healthcheck) {

		Map<String, Object> inspected(String id, int port) {
			List<String> variables = (this.environment != null)
					? this.environment.entrySet().stream().map(Object::toString).toList() : List.of();
			String published = this.ports.get(0).replaceAll(".*:", "") + "/tcp";
			return Map.of("Id", id, "Config", Map.of("Image", this.image, "Labels", Map.of(), "Env", variables),
					"NetworkSettings", Map.of("Ports", Map.of(published,
							List.of(Map.of("HostIp", "127.0.0.1", "HostPort", Integer.toString(port))))));
		}

	}

}
