package io.idempotent.versions;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.idempotent.embedded.EmbeddedRedis;
import io.idempotent.testing.QpidBroker;
import io.idempotent.testing.TestZooKeeper;

import org.springframework.kafka.test.EmbeddedKafkaBroker;
import org.springframework.kafka.test.EmbeddedKafkaKraftBroker;

/**
 * What an application with all modules talks to. The broker for JMS is in its own JVM.
 *
 * @param redis the store, and the first lock engine
 * @param quorum independent servers for locks
 * @param zooKeeper for locks
 * @param kafka for messages
 * @param rabbit for messages
 */
record Servers(EmbeddedRedis redis, List<EmbeddedRedis> quorum, TestZooKeeper zooKeeper, EmbeddedKafkaBroker kafka,
		QpidBroker rabbit) implements AutoCloseable {

	static Servers start() throws Exception {
		EmbeddedKafkaBroker kafka = new EmbeddedKafkaKraftBroker(1, 1, Messages.QUEUE);
		kafka.afterPropertiesSet();
		QpidBroker rabbit = new QpidBroker();
		rabbit.start(Messages.QUEUE);
		return new Servers(EmbeddedRedis.start(), Stream.generate(EmbeddedRedis::start).limit(3).toList(),
				TestZooKeeper.start(), kafka, rabbit);
	}

	String[] asArguments() {
		String members = this.quorum.stream()
			.map((server) -> "redis://" + server.host() + ":" + server.port())
			.collect(Collectors.joining(","));
		return new String[] { "--spring.data.redis.port=" + this.redis.port(),
				"--idempotent.lock.quorum.servers=" + members,
				"--idempotent.lock.zookeeper.connect-string=" + this.zooKeeper.connectString(),
				"--spring.kafka.bootstrap-servers=" + this.kafka.getBrokersAsString(),
				"--spring.rabbitmq.port=" + this.rabbit.port() };
	}

	@Override
	public void close() {
		this.rabbit.close();
		this.kafka.destroy();
		this.zooKeeper.close();
		this.quorum.forEach(EmbeddedRedis::close);
		this.redis.close();
	}

}
