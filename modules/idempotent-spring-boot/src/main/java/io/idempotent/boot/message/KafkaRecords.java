package io.idempotent.boot.message;

import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;
import org.jspecify.annotations.Nullable;

/**
 * The identity of a Kafka record: that of its event. Topic, partition and offset are the
 * place of a record, which differs if it is sent twice or moved to another topic.
 */
final class KafkaRecords {

	private KafkaRecords() {
	}

	static @Nullable String identity(ConsumerRecord<?, ?> message) {
		return CloudEventHeaders.identity((name) -> {
			Header header = message.headers().lastHeader(name);
			return (header != null) ? header.value() : null;
		});
	}

}
