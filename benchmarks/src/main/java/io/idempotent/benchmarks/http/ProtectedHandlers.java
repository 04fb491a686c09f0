package io.idempotent.benchmarks.http;

import java.lang.management.ManagementFactory;
import java.util.stream.LongStream;

import com.sun.management.ThreadMXBean;
import io.idempotent.ApiIdempotent;
import io.idempotent.KeySource;
import io.idempotent.benchmarks.http.PlainHandlers.Order;

import org.springframework.http.MediaType;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

/**
 * A handler with an effect, beside those of {@link IdempotentHandlers} without one.
 */
@RestController
class ProtectedHandlers {

	private final JdbcClient database;

	ProtectedHandlers(JdbcClient database) {
		this.database = database;
	}

	@PostMapping("/insert")
	@ApiIdempotent(KeySource.HEADER)
	@Transactional
	Order insert(@RequestBody Order order) {
		this.database.sql("INSERT INTO placed_order (id, product, quantity) VALUES (?, ?, ?)")
			.params(order.id(), order.product(), order.quantity())
			.update();
		return order;
	}

	/** The classes that were loaded, with those that were unloaded since. */
	@GetMapping(path = "/loaded-classes", produces = MediaType.TEXT_PLAIN_VALUE)
	String loadedClasses() {
		return Long.toString(ManagementFactory.getClassLoadingMXBean().getTotalLoadedClassCount());
	}

	/** The bytes that all threads have allocated. */
	@GetMapping(path = "/allocated", produces = MediaType.TEXT_PLAIN_VALUE)
	String allocated() {
		ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
		return Long.toString(LongStream.of(threads.getThreadAllocatedBytes(threads.getAllThreadIds())).sum());
	}

}
