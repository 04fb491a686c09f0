package io.idempotent.lock.redisson;

import java.util.concurrent.CompletionException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.redisson.api.RShardedTopic;
import org.redisson.api.RedissonClient;
import org.redisson.client.RedisException;
import org.redisson.client.RedisLoadingException;
import org.redisson.client.RedisNodeNotFoundException;
import org.redisson.client.codec.LongCodec;
import org.redisson.config.Config;
import org.redisson.misc.CompletableFutureWrapper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.mockito.BDDMockito.given;
import static org.mockito.Mockito.mock;

/**
 * The kind of channel in a Redis Cluster.
 */
class RedissonTopicsTests {

	private static final String CHANNEL = "redisson_lock__channel:{a}";

	private final RShardedTopic topic = mock();

	private final RedissonTopics topics = new RedissonTopics(client());

	private RedissonClient client() {
		Config config = new Config();
		config.useClusterServers();
		RedissonClient client = mock();
		given(client.getConfig()).willReturn(config);
		given(client.getShardedTopic(CHANNEL, LongCodec.INSTANCE)).willReturn(this.topic);
		return client;
	}

	@Test
	void aServerThatDoesNotKnowShardedChannelsIsAskedOnce() {
		given(this.topic.countSubscribersAsync())
			.willReturn(new CompletableFutureWrapper<>(new RedisException("ERR Unknown PUBSUB subcommand")))
			.willReturn(new CompletableFutureWrapper<>(0L));
		assertThat(this.topics.publishCommand(CHANNEL).join()).isEqualTo("PUBLISH");
		assertThat(this.topics.publishCommand(CHANNEL).join()).isEqualTo("PUBLISH");
	}

	@ParameterizedTest
	@ValueSource(classes = { RedisNodeNotFoundException.class, RedisLoadingException.class })
	void aServerThatCannotAnswerIsAskedAgain(Class<? extends RedisException> failure) throws Exception {
		given(this.topic.countSubscribersAsync())
			.willReturn(new CompletableFutureWrapper<>(
					failure.getConstructor(String.class).newInstance("not at the moment")))
			.willReturn(new CompletableFutureWrapper<>(0L));
		assertThatExceptionOfType(CompletionException.class)
			.isThrownBy(() -> this.topics.publishCommand(CHANNEL).join())
			.withCauseInstanceOf(failure);
		assertThat(this.topics.publishCommand(CHANNEL).join()).isEqualTo("SPUBLISH");
	}

}
