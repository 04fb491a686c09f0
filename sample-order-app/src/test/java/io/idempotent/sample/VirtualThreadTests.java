package io.idempotent.sample;

import java.net.http.HttpResponse;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.idempotent.lock.DistributedLock;
import io.idempotent.lock.DistributedLocks;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.core.task.AsyncTaskExecutor;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Orders are taken once, and locks are held by threads, where the threads are virtual.
 */
@SpringBootTest(webEnvironment = WebEnvironment.RANDOM_PORT, properties = "spring.threads.virtual.enabled=true")
@EnabledForJreRange(min = JRE.JAVA_21)
class VirtualThreadTests {

	/**
	 * More than there are carrier threads, so that one that is pinned would be noticed.
	 */
	private static final int REQUESTS = 100;

	private Shop shop;

	@BeforeEach
	void openShop(@LocalServerPort int port) {
		this.shop = new Shop(port);
	}

	@Test
	void concurrentDuplicatesMakeOneOrder() {
		String token = this.shop.openForm();
		String order = Shop.order("vera", "green-tea", 2);
		List<HttpResponse<String>> answers = Stream
			.generate(() -> this.shop.postLater("/orders/slow?millis=500", order, Shop.TOKEN_HEADER, token))
			.limit(REQUESTS)
			.toList()
			.stream()
			.map(CompletableFuture::join)
			.toList();
		assertThat(answers).extracting(HttpResponse::statusCode).contains(201).isSubsetOf(201, 409);
		assertThat(answers).filteredOn((answer) -> answer.statusCode() == 201 && !Shop.isReplay(answer)).hasSize(1);
		assertThat(this.shop.orderIdsOf("vera")).hasSize(1);
	}

	@Test
	void aLockIsReentrantForItsThreadAndClosedToOthers(@Autowired DistributedLocks locks,
			@Autowired @Qualifier("applicationTaskExecutor") AsyncTaskExecutor threads) {
		DistributedLock lock = locks.get("virtual");
		int[] inside = { 0 };
		List<CompletableFuture<Integer>> sections = IntStream.range(0, REQUESTS)
			.mapToObj((i) -> threads.submitCompletable(() -> {
				lock.lock();
				try {
					lock.lock();
					lock.unlock();
					assertThat(Thread.currentThread().toString()).startsWith("VirtualThread[");
					return ++inside[0];
				}
				finally {
					lock.unlock();
				}
			}))
			.toList();
		assertThat(sections).extracting(CompletableFuture::join)
			.containsExactlyInAnyOrderElementsOf(IntStream.rangeClosed(1, REQUESTS).boxed().toList());
	}

}
