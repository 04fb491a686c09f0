package io.idempotent.lock.integration;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

import io.idempotent.embedded.EmbeddedRedis;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.integration.aggregator.AggregatingMessageHandler;
import org.springframework.integration.aggregator.DefaultAggregatingMessageGroupProcessor;
import org.springframework.integration.channel.QueueChannel;
import org.springframework.integration.config.EnableIntegration;
import org.springframework.integration.store.MessageGroup;
import org.springframework.integration.store.SimpleMessageStore;
import org.springframework.integration.support.MessageBuilder;
import org.springframework.integration.support.locks.LockRegistry;
import org.springframework.messaging.Message;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Aggregators on two nodes that share a message store and a Redis.
 */
@Timeout(60)
class AggregatorTests {

	private static final int GROUPS = 20;

	private static final int MESSAGES = 12;

	private final EmbeddedRedis server = EmbeddedRedis.start();

	private final RedisNode node = new RedisNode(this.server.host(), this.server.port());

	private final RedisNode otherNode = new RedisNode(this.server.host(), this.server.port());

	private final SlowStore store = new SlowStore();

	private final QueueChannel output = new QueueChannel();

	private final ExecutorService threads = Executors.newFixedThreadPool(6);

	@AfterEach
	void close() {
		this.threads.shutdownNow();
		this.node.close();
		this.otherNode.close();
		this.server.close();
	}

	@Test
	void eachGroupIsReleasedOnceAndWhole() throws Exception {
		try (AnnotationConfigApplicationContext context = context(this.node.registry());
				AnnotationConfigApplicationContext otherContext = context(this.otherNode.registry())) {
			List<AggregatingMessageHandler> aggregators = List.of(context.getBean(AggregatingMessageHandler.class),
					otherContext.getBean(AggregatingMessageHandler.class));
			List<Future<?>> sent = new ArrayList<>();
			for (int group = 0; group < GROUPS; group++) {
				for (int number = 1; number <= MESSAGES; number++) {
					Message<?> message = message(group, number);
					AggregatingMessageHandler aggregator = aggregators.get(number % 2);
					sent.add(this.threads.submit(() -> aggregator.handleMessage(message)));
				}
			}
			for (Future<?> each : sent) {
				each.get();
			}
		}
		assertThat(this.output.clear()).hasSize(GROUPS)
			.allSatisfy(
					(message) -> assertThat((List<?>) message.getPayload()).hasSize(MESSAGES).doesNotHaveDuplicates());
	}

	private AnnotationConfigApplicationContext context(LockRegistry<?> registry) {
		AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();
		context.register(IntegrationConfiguration.class);
		context.registerBean("aggregator", AggregatingMessageHandler.class, () -> {
			AggregatingMessageHandler aggregator = new AggregatingMessageHandler(
					new DefaultAggregatingMessageGroupProcessor(), this.store);
			aggregator.setLockRegistry(registry);
			aggregator.setOutputChannel(this.output);
			aggregator.setExpireGroupsUponCompletion(true);
			return aggregator;
		});
		context.refresh();
		return context;
	}

	private static Message<?> message(int group, int number) {
		return MessageBuilder.withPayload(group + "-" + number)
			.setCorrelationId("order " + group)
			.setSequenceNumber(number)
			.setSequenceSize(MESSAGES)
			.build();
	}

	@Configuration(proxyBeanMethods = false)
	@EnableIntegration
	static class IntegrationConfiguration {

	}

	/**
	 * A message store that takes its time, as one on a server does. Without the lock two
	 * aggregators see the same complete group.
	 */
	private static final class SlowStore extends SimpleMessageStore {

		@Override
		public MessageGroup addMessageToGroup(Object groupId, Message<?> message) {
			super.addMessageToGroup(groupId, message);
			LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
			return getMessageGroup(groupId);
		}

	}

}
