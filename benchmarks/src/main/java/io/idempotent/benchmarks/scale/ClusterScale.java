package io.idempotent.benchmarks.scale;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;

import io.idempotent.benchmarks.measure.Contender;
import io.idempotent.benchmarks.measure.Contest;
import io.idempotent.benchmarks.measure.Effort;
import io.idempotent.benchmarks.measure.Figures;
import io.idempotent.benchmarks.measure.Spread;
import io.idempotent.benchmarks.records.Records;
import io.idempotent.benchmarks.records.RedisStore;
import io.idempotent.benchmarks.report.Cell;
import io.idempotent.benchmarks.report.Results;
import io.idempotent.benchmarks.report.Table;
import io.idempotent.redis.RedisIdempotencyStore;

import org.springframework.data.redis.connection.RedisClusterConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/**
 * One Redis Cluster for each number of masters. All of them share the processors of this
 * machine with the load, so that throughput cannot grow with them; that the calls spread
 * evenly can be seen.
 */
final class ClusterScale {

	private static final int THREADS = 16;

	private ClusterScale() {
	}

	static Results measure(Effort effort) throws Exception {
		try (Member one = new Member(1); Member three = new Member(3)) {
			List<Member> members = List.of(one, three);
			List<Table.Row> rows = new ArrayList<>();
			rows.addAll(run(effort, members, "first call", Member::first));
			rows.addAll(run(effort, members, "duplicate", Member::duplicate));
			return new Results(
					List.of(new Table("scale-cluster", "Redis Cluster: " + THREADS + " threads by masters",
							List.of("per second", "p50 µs", "p99 µs", "busiest master, % of scripts"), 0, rows)),
					List.of());
		}
	}

	private static List<Table.Row> run(Effort effort, List<Member> members, String what,
			Function<Member, Contender> contender) throws Exception {
		for (Member member : members) {
			member.cluster.resetCalls();
		}
		Map<String, Figures> figures = new Contest(effort, THREADS).run(members.stream().map(contender).toList());
		List<Table.Row> rows = new ArrayList<>();
		for (Member member : members) {
			Figures found = Objects.requireNonNull(figures.get(member.name()));
			rows.add(new Table.Row(what, member.name(), List.of(Cell.of(found.throughput()), Cell.of(found.p50()),
					Cell.of(found.p99()), Cell.of(Spread.exactly(member.busiest())))));
		}
		return rows;
	}

	/**
	 * One Cluster, a client of it, and a store in it.
	 */
	private static final class Member implements AutoCloseable {

		private final int masters;

		private final SmallCluster cluster;

		private final LettuceConnectionFactory connections;

		private final RedisIdempotencyStore store;

		private final Records records;

		private final AtomicLong next = new AtomicLong();

		private Member(int masters) throws IOException, InterruptedException {
			this.masters = masters;
			this.cluster = new SmallCluster(masters);
			this.connections = new LettuceConnectionFactory(new RedisClusterConfiguration(this.cluster.addresses()));
			this.connections.afterPropertiesSet();
			this.connections.start();
			this.store = new RedisIdempotencyStore(this.connections, RedisStore.PREFIX, Duration.ofSeconds(10));
			this.records = new Records(this.store);
		}

		String name() {
			return this.masters + ((this.masters == 1) ? " master" : " masters");
		}

		Contender first() {
			return new Contender(name(),
					(stopwatch) -> this.records.complete(this.records.claim(Records.key(this.next.getAndIncrement())),
							Filled.ANSWER, Records.RETENTION));
		}

		Contender duplicate() {
			return new Contender(name(), (stopwatch) -> this.records
				.duplicate(Records.key(ThreadLocalRandom.current().nextLong(this.next.get())), Filled.ANSWER));
		}

		double busiest() throws IOException {
			List<Long> calls = this.cluster.calls();
			return 100.0 * Collections.max(calls) / calls.stream().mapToLong(Long::longValue).sum();
		}

		@Override
		public void close() {
			this.store.close();
			this.connections.destroy();
			this.cluster.close();
		}

	}

}
