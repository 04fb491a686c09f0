package com.example;

import java.util.concurrent.atomic.AtomicInteger;

import io.idempotent.IdempotencyTemplate;
import io.idempotent.Idempotent;
import io.idempotent.lock.DistributedLocked;
import io.idempotent.lock.DistributedLocks;

import org.springframework.boot.CommandLineRunner;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;

/**
 * Locks a method, and counts twice what is called four times.
 */
@SpringBootApplication
public class JobApplication {

	public static void main(String[] arguments) {
		SpringApplication.run(JobApplication.class, arguments).close();
	}

	@Bean
	Job job(DistributedLocks locks) {
		return new Job(locks);
	}

	@Bean
	CommandLineRunner runner(Job job, IdempotencyTemplate once) {
		return (arguments) -> {
			System.out.println("Locked: " + job.lockName());
			job.count("a");
			job.count("a");
			once.executeWithoutResult("count", "a", (operation) -> job.count("b"));
			once.executeWithoutResult("count", "a", (operation) -> job.count("c"));
			System.out.println("Counted: " + job.counted());
		};
	}

	static class Job {

		private final AtomicInteger counted = new AtomicInteger();

		private final DistributedLocks locks;

		Job(DistributedLocks locks) {
			this.locks = locks;
		}

		@DistributedLocked(name = "report")
		String lockName() {
			return this.locks.current().orElseThrow().qualifiedName();
		}

		@Idempotent(key = "#key")
		void count(String key) {
			this.counted.incrementAndGet();
		}

		int counted() {
			return this.counted.get();
		}

	}

}
