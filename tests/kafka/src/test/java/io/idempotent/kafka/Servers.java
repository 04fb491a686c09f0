package io.idempotent.kafka;

import java.util.List;
import java.util.Map;
import java.util.Objects;

import io.idempotent.embedded.EmbeddedRedis;
import io.idempotent.testing.TestPostgres;
import io.idempotent.testing.Unchecked;
import org.apache.kafka.clients.admin.AdminClient;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;

import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.kafka.test.EmbeddedKafkaKraftBroker;

/**
 * Everything that the application talks to, real and empty at first.
 */
record Servers(EmbeddedKafkaKraftBroker kafka, AdminClient admin, TestPostgres postgres,
		EmbeddedRedis redis) implements AutoCloseable {

	static Servers start() {
		EmbeddedKafkaKraftBroker kafka = new EmbeddedKafkaKraftBroker(1, Messages.PARTITIONS);
		// So that one is missed soon that was killed.
		kafka.brokerProperty("group.min.session.timeout.ms", "1000");
		kafka.afterPropertiesSet();
		AdminClient admin = AdminClient
			.create(Map.of(AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG, kafka.getBrokersAsString()));
		return new Servers(kafka, admin, TestPostgres.start(), EmbeddedRedis.start());
	}

	List<String> asProperties() {
		Map<String, Object> properties = Map.of("spring.kafka.bootstrap-servers", this.kafka.getBrokersAsString(),
				"spring.datasource.url", this.postgres.url(), "spring.data.redis.port", this.redis.port());
		return properties.entrySet().stream().map((entry) -> entry.getKey() + "=" + entry.getValue()).toList();
	}

	JdbcClient database() {
		return JdbcClient.create(this.postgres.dataSource());
	}

	/**
	 * How many messages a group will never be given again.
	 */
	long acknowledged(String group) {
		return Unchecked.call(() -> this.admin.listConsumerGroupOffsets(group).partitionsToOffsetAndMetadata().get())
			.values()
			.stream()
			.filter(Objects::nonNull)
			.mapToLong(OffsetAndMetadata::offset)
			.sum();
	}

	@Override
	public void close() {
		this.admin.close();
		this.kafka.destroy();
		this.postgres.close();
		this.redis.close();
	}

}
