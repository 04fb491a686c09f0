package io.idempotent.kafka;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Future;
import java.util.stream.IntStream;

import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.serialization.StringSerializer;

/**
 * What is sent to a topic: a thousand messages, or more with
 * {@code -Didempotent.kafka.payments=2100}, of which three out of ten repeat another one.
 *
 * @param messages in the order of their sending
 */
record Messages(List<Message> messages) {

	static final int PAYMENTS = Integer.getInteger("idempotent.kafka.payments", 700);

	static final int REPEATS = PAYMENTS / 7 * 3;

	static final int PARTITIONS = 6;

	/**
	 * A third of the repeats follows at once in the same partition, a third at once in
	 * another one, where another consumer may be at it at the same time, and a third much
	 * later and anywhere.
	 */
	static Messages draw(Random random) {
		List<Message> messages = new ArrayList<>();
		for (int i = 0; i < PAYMENTS; i++) {
			messages.add(new Message(i, i, random.nextInt(PARTITIONS)));
		}
		for (int i = 0; i < REPEATS; i++) {
			Message first = messages.get(random.nextInt(PAYMENTS));
			messages.add(switch (i % 3) {
				case 0 -> new Message(first.place() + 0.1, first.payment(), first.partition());
				case 1 -> new Message(first.place() + 0.2, first.payment(), otherThan(first.partition(), random));
				default -> new Message(first.place() + 300 + random.nextInt(PAYMENTS), first.payment(),
						random.nextInt(PARTITIONS));
			});
		}
		messages.sort(Comparator.comparingDouble(Message::place));
		return new Messages(messages);
	}

	private static int otherThan(int partition, Random random) {
		return (partition + 1 + random.nextInt(PARTITIONS - 1)) % PARTITIONS;
	}

	static String id(int payment) {
		return "payment-" + payment;
	}

	static List<String> ids() {
		return IntStream.range(0, PAYMENTS).mapToObj(Messages::id).toList();
	}

	/**
	 * Sends all, and returns when the broker has them.
	 */
	void sendTo(String topic, String servers) throws Exception {
		Map<String, Object> properties = Map.of(ProducerConfig.BOOTSTRAP_SERVERS_CONFIG, servers,
				// Or a partition that is still being made takes the second batch, and
				// never the first.
				ProducerConfig.MAX_IN_FLIGHT_REQUESTS_PER_CONNECTION, 1);
		try (KafkaProducer<String, String> producer = new KafkaProducer<>(properties, new StringSerializer(),
				new StringSerializer())) {
			List<Future<RecordMetadata>> sent = this.messages.stream()
				.map((message) -> new ProducerRecord<String, String>(topic, message.partition(), null, message.json()))
				.map(producer::send)
				.toList();
			for (Future<RecordMetadata> each : sent) {
				each.get();
			}
		}
	}

	/**
	 * A message.
	 *
	 * @param place when it is sent, in numbers of payments
	 * @param payment which payment it is about
	 * @param partition where it is sent to
	 */
	record Message(double place, int payment, int partition) {

		String json() {
			return "{\"id\": \"%s\", \"cents\": 100}".formatted(id(this.payment));
		}

	}

}
