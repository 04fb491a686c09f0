package io.idempotent.lock.redis;

import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

import org.junit.jupiter.api.Test;
import org.redisson.client.RedisException;
import org.redisson.client.RedisLoadingException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * The kind of channel in a Redis Cluster.
 */
class ReleaseChannelsTests {

	private static final String CHANNEL = "redisson_lock__channel:{a}";

	private final Queue<CompletableFuture<?>> replies = new ArrayDeque<>();

	private final ReleaseChannels channels = new ReleaseChannels(null, (channel) -> this.replies.remove(),
			RedisLoadingException.class::isInstance);

	@Test
	void aServerThatDoesNotKnowShardedChannelsIsAskedOnce() {
		this.replies.add(CompletableFuture.failedFuture(new RedisException("ERR Unknown PUBSUB subcommand")));
		assertThat(this.channels.sharded(CHANNEL).join()).isFalse();
		assertThat(this.channels.sharded(CHANNEL).join()).isFalse();
	}

	@Test
	void aServerThatCannotAnswerIsAskedAgain() {
		this.replies.addAll(List.of(CompletableFuture.failedFuture(new RedisLoadingException("not at the moment")),
				CompletableFuture.completedFuture(0L)));
		assertThatExceptionOfType(CompletionException.class).isThrownBy(() -> this.channels.sharded(CHANNEL).join())
			.withCauseInstanceOf(RedisLoadingException.class);
		assertThat(this.channels.sharded(CHANNEL).join()).isTrue();
	}

}
