package io.idempotent.kafka;

import java.util.Arrays;

import io.idempotent.testing.JavaProcess;
import io.idempotent.testing.StandStill;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.kafka.listener.BatchInterceptor;
import org.springframework.kafka.listener.RecordInterceptor;

/**
 * Lets a consumer of one thread stand still at a point of its work, for good, and says
 * so.
 */
final class Stop implements Incident, RecordInterceptor<Object, Object>, BatchInterceptor<Object, Object> {

	private final Point point;

	private int bookingsLeft;

	private @Nullable Payment booked;

	/**
	 * Creates a stop.
	 * @param point where
	 * @param bookings at which booking
	 */
	Stop(Point point, int bookings) {
		this.point = point;
		this.bookingsLeft = bookings;
	}

	@Override
	public void happenTo(Payment payment) {
		this.bookingsLeft--;
		if (this.bookingsLeft > 0) {
			return;
		}
		switch (this.point) {
			case BEFORE_COMMIT -> StandStill.now(payment.id());
			case AFTER_COMMIT -> StandStill.afterCommit(payment.id());
			case BEFORE_ACKNOWLEDGEMENT -> this.booked = payment;
		}
	}

	@Override
	public ConsumerRecord<Object, Object> intercept(ConsumerRecord<Object, Object> message,
			Consumer<Object, Object> consumer) {
		return message;
	}

	@Override
	public void success(ConsumerRecord<Object, Object> message, Consumer<Object, Object> consumer) {
		stopIfBooked();
	}

	@Override
	public ConsumerRecords<Object, Object> intercept(ConsumerRecords<Object, Object> messages,
			Consumer<Object, Object> consumer) {
		return messages;
	}

	@Override
	public void success(ConsumerRecords<Object, Object> messages, Consumer<Object, Object> consumer) {
		stopIfBooked();
	}

	private void stopIfBooked() {
		if (this.booked != null) {
			StandStill.now(this.booked.id());
		}
	}

	/** The application with the listener and the stop that the first arguments name. */
	public static void main(String[] arguments) throws Exception {
		Stop stop = new Stop(Point.valueOf(arguments[1]), 50);
		new SpringApplicationBuilder(Shop.class, Class.forName(arguments[0]))
			.initializers((GenericApplicationContext context) -> context.registerBean(Stop.class, () -> stop))
			.run(Arrays.copyOfRange(arguments, 2, arguments.length));
		JavaProcess.endWithParent();
	}

	/**
	 * Where a consumer may stop.
	 */
	enum Point {

		/** The payment is booked, but not for anybody else to see. */
		BEFORE_COMMIT,

		/** The payment is booked, and nobody but the database knows. */
		AFTER_COMMIT,

		/** The payment is booked and recorded, and Kafka does not know. */
		BEFORE_ACKNOWLEDGEMENT

	}

}
