package io.idempotent.kafka;

import java.util.concurrent.locks.LockSupport;

import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.jspecify.annotations.Nullable;

import org.springframework.kafka.listener.BatchInterceptor;
import org.springframework.kafka.listener.RecordInterceptor;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Lets a consumer of one thread stand still at a point of its work, for good, and says
 * so.
 */
final class Stop implements Incident, RecordInterceptor<Object, Object>, BatchInterceptor<Object, Object> {

	static final String SAYING = "stopped at ";

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
			case BEFORE_COMMIT -> stop(payment);
			case AFTER_COMMIT ->
				TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {

					@Override
					public void afterCommit() {
						stop(payment);
					}

				});
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
		if (this.booked != null) {
			stop(this.booked);
		}
	}

	@Override
	public ConsumerRecords<Object, Object> intercept(ConsumerRecords<Object, Object> messages,
			Consumer<Object, Object> consumer) {
		return messages;
	}

	@Override
	public void success(ConsumerRecords<Object, Object> messages, Consumer<Object, Object> consumer) {
		if (this.booked != null) {
			stop(this.booked);
		}
	}

	private static void stop(Payment payment) {
		System.out.println(SAYING + payment.id());
		while (true) {
			LockSupport.park();
		}
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
