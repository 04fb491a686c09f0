package io.idempotent.lock.integration;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

import io.idempotent.embedded.EmbeddedRedis;
import io.idempotent.testing.FaultyProxy;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import org.springframework.integration.leader.AbstractCandidate;
import org.springframework.integration.leader.Context;
import org.springframework.integration.support.leader.LockRegistryLeaderInitiator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Spring Integration's leader election between two nodes of one Redis.
 */
@Timeout(60)
class LeaderElectionTests {

	private final EmbeddedRedis server = EmbeddedRedis.start();

	private final FaultyProxy network = new FaultyProxy(this.server.host(), this.server.port());

	private final RedisNode node = new RedisNode("127.0.0.1", this.network.port());

	private final RedisNode otherNode = new RedisNode(this.server.host(), this.server.port());

	private final List<LockRegistryLeaderInitiator> elections = new ArrayList<>();

	private final Member member = new Member("a");

	private final Member otherMember = new Member("b");

	@AfterEach
	void close() {
		this.elections.forEach(LockRegistryLeaderInitiator::destroy);
		this.node.close();
		this.otherNode.close();
		this.network.close();
		this.server.close();
	}

	@Test
	void secondMemberLeadsWhenTheFirstStops() {
		LockRegistryLeaderInitiator election = join(this.node.registry(), this.member);
		await().untilAsserted(() -> assertThat(this.member.isLeader()).isTrue());
		join(this.otherNode.registry(), this.otherMember);
		await().during(Duration.ofMillis(400)).until(() -> !this.otherMember.isLeader());
		assertThat(this.member.isLeader()).isTrue();
		election.stop();
		await().until(this.otherMember::isLeader);
		assertThat(this.member.isLeader()).isFalse();
	}

	@Test
	void leadershipIsRevokedWhenTheLockIsLost() {
		join(this.node.registry(), this.member);
		await().until(this.member::isLeader);
		join(this.otherNode.registry(), this.otherMember);
		this.network.partition();
		await().until(this.otherMember::isLeader);
		await().until(() -> !this.member.isLeader());
		this.network.heal();
		await().during(Duration.ofMillis(500)).until(() -> !this.member.isLeader() && this.otherMember.isLeader());
		assertThat(this.member.revocations.get()).isEqualTo(1);
	}

	@Test
	void interruptedLeaderIsRevokedBeforeTheNextHeartbeat() {
		LockRegistryLeaderInitiator election = initiator(this.node.registryThatInterrupts(), this.member);
		election.setHeartBeatMillis(60_000);
		election.start();
		await().until(this.member::isLeader);
		this.network.partition();
		await().atMost(Duration.ofMinutes(1)).until(() -> !this.member.isLeader());
	}

	private LockRegistryLeaderInitiator join(DistributedLockRegistry registry, Member candidate) {
		LockRegistryLeaderInitiator election = initiator(registry, candidate);
		election.setHeartBeatMillis(100);
		election.start();
		return election;
	}

	private LockRegistryLeaderInitiator initiator(DistributedLockRegistry registry, Member candidate) {
		LockRegistryLeaderInitiator election = new LockRegistryLeaderInitiator(registry, candidate);
		this.elections.add(election);
		return election;
	}

	/**
	 * A candidate for the leadership of nightly jobs.
	 */
	private static final class Member extends AbstractCandidate {

		private final AtomicInteger grants = new AtomicInteger();

		private final AtomicInteger revocations = new AtomicInteger();

		Member(String id) {
			super(id, "nightly jobs / 夜间任务");
		}

		boolean isLeader() {
			return this.grants.get() > this.revocations.get();
		}

		@Override
		public void onGranted(Context context) {
			this.grants.incrementAndGet();
		}

		@Override
		public void onRevoked(Context context) {
			this.revocations.incrementAndGet();
		}

	}

}
